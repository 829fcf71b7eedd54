#!/bin/sh
# Open Dagster's UI and daemon on the records that the command line writes.
set -eu
cd "$(dirname "$0")/.."

where() { .venv/bin/python -c "from swe_assets import home; print(home.$1())"; }
# Dagster reads its settings in DAGSTER_HOME: those of SWE_ASSETS_HOME, else the checkout's.
settings="$(where home)/dagster.yaml"
[ -f "$settings" ] || settings=dagster.yaml
DAGSTER_HOME="${DAGSTER_HOME:-$(where dagster_home)}"
export DAGSTER_HOME
mkdir -p "$DAGSTER_HOME"
[ -f "$DAGSTER_HOME/dagster.yaml" ] && cmp -s "$settings" "$DAGSTER_HOME/dagster.yaml" || cp "$settings" "$DAGSTER_HOME/"

echo "ui: records in $DAGSTER_HOME; when it is up, open http://localhost:$1 (Ctrl-C ends it)" >&2
exec .venv/bin/python -m dagster dev --workspace workspace.yaml --port "$1"
