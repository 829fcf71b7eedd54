#!/bin/sh
# Set up .venv from requirements.lock: found fresh, stale or left half done by a kill, it ends complete.
set -eu
cd "$(dirname "$0")/.."

stamp=.venv/.installed      # written last: its content says what was installed, and where
half=.venv/.installing      # there only while an install runs, or after one that was killed
wanted="$(cat requirements.lock pyproject.toml scripts/install.sh | cksum) $(pwd)"

runs() { "$1" -c "$2" >/dev/null 2>&1; }
version() { "$1" -c 'import sys; print(*sys.version_info[:3])' 2>/dev/null; }
suits() { runs "$1" 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))'; }

asked_for() { [ -z "${PYTHON:-}" ] || [ "$(version "$PYTHON")" = "$(version .venv/bin/python)" ]; }

if [ -f "$stamp" ] && [ ! -e "$half" ] && [ "$(cat "$stamp")" = "$wanted" ] && suits .venv/bin/python && asked_for; then
    exit 0
fi

found_python() {
    if [ -n "${PYTHON:-}" ]; then
        suits "$PYTHON" && { echo "$PYTHON"; return; }
        echo "error: PYTHON=$PYTHON is not a Python from 3.11 to 3.14: $("$PYTHON" --version 2>&1 || true)" >&2
        echo "  mend: make install PYTHON=/path/to/python3.11 (or 3.12, 3.13, 3.14)" >&2
        return 1
    fi
    for name in python3.13 python3.12 python3.11 python3.14 python3; do
        suits "$name" && { echo "$name"; return; }
    done
    echo "error: no Python from 3.11 to 3.14 on PATH; python3 is: $(python3 --version 2>&1 || true)" >&2
    echo "  mend: install one (Debian, Ubuntu: apt-get install python3 python3-venv), or make install PYTHON=/path/to/it" >&2
    return 1
}

# A virtual environment that was killed in the making, whose Python went away or is another than asked for, is begun anew.
if [ -e "$half" ] || { [ -d .venv ] && { ! suits .venv/bin/python || ! asked_for; }; }; then
    echo "install: .venv is incomplete or of another Python; building it anew" >&2
    anew=yes
fi
if [ ! -d .venv ] || [ -n "${anew:-}" ]; then
    python="$(found_python)"
    if ! runs "$python" 'import venv, ensurepip'; then
        echo "error: $python cannot make virtual environments: its venv or ensurepip module is missing" >&2
        echo "  mend: Debian, Ubuntu: apt-get install python3-venv; or another Python: make install PYTHON=/path/to/it" >&2
        exit 1
    fi
    rm -rf .venv/bin && rm -rf .venv   # bin goes first: a kill in between leaves what is seen as incomplete
    mkdir .venv
    : > "$half"
    echo "install: $("$python" --version) into .venv" >&2
    "$python" -m venv .venv
fi

: > "$half"
pip() { .venv/bin/python -m pip --disable-pip-version-check --no-input "$@"; }
runs .venv/bin/python 'import pip' || .venv/bin/python -m ensurepip --upgrade >/dev/null
# The lock is complete, so no resolver is needed: it would be slower, and older ones stumble over extras.
pip install --quiet --no-deps --require-hashes --requirement requirements.lock
pip install --quiet --no-deps --no-build-isolation --editable .
printf '%s\n' "$wanted" > "$stamp"
rm -f "$half"
echo "install: done" >&2
