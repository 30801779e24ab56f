# Muckraker's commands. Needs Python 3.11 or newer, git and make; everything else goes into .venv. `make test`,
# `make test-all` and `make kafka` also need Java 17 and Maven for a real Kafka broker: they install the Debian packages where they may, and
# else stop with the one command to type. The broker's jars are fetched once, into the user's cache.
#
# .venv/.runtime and .venv/.dev are stamps: an installation is repeated only when a lock file or pyproject.toml changes,
# so a second `make demo` or `make test` installs nothing and needs no network.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo install test test-all lint format schemas coverage lock bench bench-ingest bench-ranking kafka broker crash clean

help: ## Say what each command does
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1|\2/' | \
		while IFS='|' read -r command text; do printf '%-19s %s\n' "$$command" "$$text"; done

demo: install ## Simulate a gaming day with planted faults, audit it, and show what was found
	$(BIN)/muckraker demo

install: $(VENV)/.runtime ## Install Muckraker and what it runs on into .venv

test: $(VENV)/.dev lint broker ## Check style and types and run every test but the exhaustive ones
	$(BIN)/pytest -n 2 --dist worksteal
	@echo "Exhaustive tests and long runs were left out, each but for a short form of it: 'make test-all' runs them too."

test-all: $(VENV)/.dev lint broker ## Run every test there is, the exhaustive ones too, and the long crash test
	$(BIN)/pytest -n 2 --dist worksteal -m "exhaustive or not exhaustive"
	$(BIN)/python -m benchmarks.crash

broker: $(VENV)/.runtime ## Bring what a Kafka broker needs (Java, Maven, its jars), or say what to type
	@$(BIN)/python -m ingest.dev_broker --prepare

kafka: $(VENV)/.runtime ## Run a Kafka broker to develop with, until Ctrl-C (three of them: BROKERS=3)
	@$(BIN)/python -m ingest.dev_broker --brokers $(or $(BROKERS),1)

crash: $(VENV)/.dev broker ## Break workers, brokers and network 200 times and compare the record with an undisturbed one
	$(BIN)/python -m benchmarks.crash

lint: $(VENV)/.dev ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.dev ## Put the code into its one format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schemas: $(VENV)/.runtime ## Write schemas/published, docs/findings.md and the tables of docs/events.md anew
	$(BIN)/python -m schemas.published

coverage: $(VENV)/.runtime ## Write docs/coverage.md anew: which section of each rule text is covered by what
	$(BIN)/python -m replay.coverage

bench: $(VENV)/.runtime ## Measure the road from the devices to the findings
	$(BIN)/python -m benchmarks.end_to_end

bench-ingest: $(VENV)/.dev broker ## Measure a worker on real Kafka beside bare consumers of the same bytes
	$(BIN)/python -m benchmarks.ingest

bench-ranking: $(VENV)/.dev ## Measure the hand rankers beside the public libraries that are installed
	$(BIN)/python -m benchmarks.ranking

# The lock files name exact versions and hashes and no index, so that they serve whichever index or mirror is configured.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command 'make lock' --no-emit-index-url --no-emit-find-links --no-annotate --upgrade

lock: $(VENV)/.dev ## Resolve requirements.lock and requirements-dev.lock anew
	$(LOCK) --extra build pyproject.toml --output-file requirements.lock
	$(LOCK) --extra build --extra dev --extra lock --extra ray --extra kafka-peer pyproject.toml --output-file requirements-dev.lock

clean: ## Remove .venv and everything tools left behind
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment -------------------------------------------------------------------------------------------------

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Muckraker needs Python 3.11 or newer, and '$(PYTHON)' is not:"; \
		$(PYTHON) --version || true; \
		echo "Install a newer one and name it: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "'$(PYTHON)' cannot make virtual environments: its venv and ensurepip modules are not installed."; \
		echo "On Debian and Ubuntu: sudo apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements.lock pyproject.toml | $(VENV)/bin/python
	$(PIP_INSTALL) --require-hashes -r requirements.lock
	$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	$(PIP_INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@
