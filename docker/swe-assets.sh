#!/bin/sh
# The command line, with the secrets also where a person enters a container that runs (docker compose exec).
exec /usr/local/bin/entrypoint /opt/venv/bin/python -m swe_assets "$@"
