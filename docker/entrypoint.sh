#!/bin/sh
# Read secrets from files, put dagster.yaml where Dagster looks for it, then become the command.
set -eu

# NAME_FILE names a file with the value of NAME, as for Postgres's own image; it never wins over NAME itself.
for name in SWE_ASSETS_POSTGRES_URL PGPASSWORD SONAR_TOKEN SONAR_ADMIN_PASSWORD GEMINI_API_KEY; do
    eval "file=\${${name}_FILE:-} value=\${${name}:-}"
    [ -n "$file" ] && [ -z "$value" ] || continue
    if [ ! -r "$file" ]; then
        echo "error: ${name}_FILE is '$file', which cannot be read by user $(id -u)" >&2
        echo "  mend: mount the secret there and let that user read it, or unset ${name}_FILE" >&2
        exit 2
    fi
    value="$(cat "$file")"
    [ -n "$value" ] || continue
    export "$name=$value"
done
unset name file value

# A DAGSTER_HOME elsewhere, such as a mounted one with a dagster.yaml of its own, is left as it is.
case "$DAGSTER_HOME/" in "$SWE_ASSETS_HOME"/*) ;; *) exec "$@" ;; esac

if ! mkdir -p "$DAGSTER_HOME" 2>/dev/null || [ ! -w "$DAGSTER_HOME" ]; then
    echo "error: user $(id -u) cannot write to $SWE_ASSETS_HOME, where studies and records go" >&2
    echo "  mend: a named volume, or a folder that belongs to that user (chown 10001:10001)" >&2
    exit 2
fi
# Several services begin at the same time on one volume: each lays down a whole file.
if ! cmp -s /opt/swe-assets/dagster.yaml "$DAGSTER_HOME/dagster.yaml"; then
    new="$(mktemp "$DAGSTER_HOME/.dagster.yaml.XXXXXX")"
    cp /opt/swe-assets/dagster.yaml "$new"
    mv "$new" "$DAGSTER_HOME/dagster.yaml"
fi
exec "$@"
