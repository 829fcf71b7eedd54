"""SonarQube: the life of a server, its web API, and scanning.

* life of the server: ``connection`` (which server, with which token), ``server`` (up, down), ``standing``
  (status), ``named`` (one of the user's own); ``distribution``, ``archives`` and ``maven`` (where it comes
  from), ``java``, ``properties``, ``places``, ``state``, ``starting``, ``health``, ``causes`` (why it did not
  start), ``leftovers``, ``credentials`` and ``administration`` (its password and token)
* web API: ``client`` (all that is asked), ``transport`` and ``patience`` (how), ``replies`` and ``pages``
  (what answers mean), ``metrics``, ``values``, ``measures`` and ``tree`` (numbers, and why there are none),
  ``tasks``, ``versions``, ``project_keys``, ``scanner_log``
* scanning: ``batches`` (what is scanned together), ``layout``, ``disk_names`` and ``java_properties`` (on
  disk), ``scan_folders``, ``scanner`` (one run), ``scans`` (side by side, split where one fails),
  ``readback`` (measures of the recorded analysis alone), ``kept`` (measures by content), ``seen_versions``
"""
