"""SonarQube: the life of a server, its web API, and scanning.

* life of the server: ``connection`` (which server, with which token), ``places``
"""
