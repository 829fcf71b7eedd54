#!/bin/sh
# Open Dagster's UI and daemon on the records that the command line writes.
set -eu
cd "$(dirname "$0")/.."

root="$(pwd)"
where() { "$root/.venv/bin/python" -c "from swe_assets import home; print(home.$1())"; }
SWE_ASSETS_HOME="$(where home)"
DAGSTER_HOME="${DAGSTER_HOME:-$(where dagster_home)}"
export SWE_ASSETS_HOME DAGSTER_HOME

# Dagster reads its settings in DAGSTER_HOME alone: those of SWE_ASSETS_HOME, else the checkout's.
settings="$SWE_ASSETS_HOME/dagster.yaml"
[ -f "$settings" ] || settings="$root/dagster.yaml"
mkdir -p "$DAGSTER_HOME"
cmp -s "$settings" "$DAGSTER_HOME/dagster.yaml" || cp "$settings" "$DAGSTER_HOME/dagster.yaml"

"$root/.venv/bin/python" -c "from swe_assets.storage.place import records_place; print(records_place().sentence)" >&2
echo "ui: settings in $DAGSTER_HOME; when it is up, open http://localhost:$1 (Ctrl-C ends it)" >&2
# From there, so that Dagster does not warn of settings in the current folder that it leaves unread.
cd "$DAGSTER_HOME"
exec "$root/.venv/bin/python" -m dagster dev --workspace "$root/workspace.yaml" --port "$1"
