# Everything runs by .venv/bin/python -m: a script's first line breaks in a folder with a space in its name.
.DEFAULT_GOAL := help
.PHONY: help install study test lint ui up down lock clean

PY := .venv/bin/python
PORT ?= 3000
ARGS ?=
export PYTHON

help:  ## show this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1|/p' Makefile | awk -F'|' '{printf "%-16s %s\n", $$1, $$2}'

install:  ## set up .venv with the locked libraries (PYTHON=… picks the interpreter)
	@sh scripts/install.sh

study: install  ## run the sample study and say where its results lie
	@$(PY) scripts/study.py

test: install  ## run the tests (ARGS=… goes to pytest)
	@$(PY) -m pytest -n 2 --dist loadfile $(ARGS)

lint: install  ## ruff and mypy, as CI runs them
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy

ui: install  ## open the Dagster UI on the studies' records (PORT=3000)
	@sh scripts/ui.sh "$(PORT)"

up:  ## start it all in containers: Postgres, SonarQube, UI and daemon (docs/how-to/docker.md)
	@sh scripts/compose.sh up

down:  ## stop the containers; what they stored stays
	@sh scripts/compose.sh down

lock: install  ## rewrite requirements.lock from pyproject.toml
	@$(PY) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --extra dev pyproject.toml -o requirements.lock

clean:  ## remove .venv and caches; studies and mirrors stay
	@rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
	@find swe_assets swe_assets_tests -name __pycache__ -type d -prune -exec rm -rf {} +
