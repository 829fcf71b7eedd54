-- Run once, by Postgres's own image, on an empty volume: a role and a database each for Dagster and SonarQube.
-- The passwords are read from the secrets' files, so they stand on no command line and in no log.
\set ON_ERROR_STOP on
\set dagster `cat /run/secrets/dagster_password`
\set sonarqube `cat /run/secrets/sonarqube_password`

CREATE ROLE dagster LOGIN PASSWORD :'dagster';
CREATE DATABASE dagster OWNER dagster TEMPLATE template0 ENCODING 'UTF8';
REVOKE ALL ON DATABASE dagster FROM PUBLIC;

CREATE ROLE sonarqube LOGIN PASSWORD :'sonarqube';
CREATE DATABASE sonarqube OWNER sonarqube TEMPLATE template0 ENCODING 'UTF8';
REVOKE ALL ON DATABASE sonarqube FROM PUBLIC;
