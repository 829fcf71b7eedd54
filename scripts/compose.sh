#!/bin/sh
# Start or stop docker/compose.yaml: up makes the passwords the first time, builds the image, then starts what waits for what is healthy.
set -eu
cd "$(dirname "$0")/../docker"

compose() { docker compose --file compose.yaml "$@"; }

if ! docker compose version >/dev/null 2>&1; then
    if command -v docker >/dev/null 2>&1; then
        echo "error: this docker has no compose plugin: $(docker --version 2>&1 || true)" >&2
        echo "  mend: install it (Debian's and Docker's packages: docker-compose-plugin or docker-compose-v2)" >&2
    else
        echo "error: no docker on PATH" >&2
        echo "  mend: install Docker Engine 24 or later with its compose plugin; or do without: make study, make ui" >&2
    fi
    exit 2
fi

# The folder keeps other users of this machine out; the files in it must be readable by the containers' own users.
make_secrets() {
    mkdir -p secrets inputs
    chmod 700 secrets
    for name in postgres_password dagster_password sonarqube_password; do
        [ -s "secrets/$name" ] && continue
        od -An -N24 -tx1 /dev/urandom | tr -d ' \n' > "secrets/.$name"
        chmod 444 "secrets/.$name"
        mv "secrets/.$name" "secrets/$name"
    done
}

case "${1:-}" in
    up)
        make_secrets
        compose build
        compose up --detach
        echo "up: http://localhost:${SWE_ASSETS_PORT:-3000} (Dagster), http://localhost:${SONAR_PORT:-9000} (SonarQube)" >&2
        ;;
    down)
        compose down --remove-orphans
        echo "down: the volumes stay; 'docker compose -f docker/compose.yaml down --volumes' removes them too" >&2
        ;;
    *)
        echo "usage: scripts/compose.sh up|down" >&2
        exit 2
        ;;
esac
