"""SonarQube: the life of a server, its web API, and scanning.

* life of the server: ``connection`` (which server, with which token), ``places``
* web API: ``client`` (all that is asked), ``transport`` and ``patience`` (how), ``replies`` and ``pages``
  (what answers mean), ``metrics``, ``values``, ``measures`` and ``tree`` (numbers, and why there are none),
  ``tasks``, ``versions``, ``project_keys``, ``scanner_log``
"""
