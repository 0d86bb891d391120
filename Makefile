# Every target does its own set-up. `make` alone lists them.
PYTHON ?= python3
# How many test files run at a time.
JOBS ?= 2

VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime-installed
MODELS := $(VENV)/.models-installed
DEV := $(VENV)/.dev-installed
# What a browser for the tests may be called, and how to get one where the system's packages may be installed.
BROWSERS := chromium chromium-browser google-chrome google-chrome-stable
FIND_BROWSER := for name in $(BROWSERS); do command -v $$name && break; done | grep -q .
# A database server is looked for where Debian puts it, which is not on the path.
FIND_DATABASE := { command -v initdb || ls /usr/lib/postgresql/*/bin/initdb; } 2>/dev/null | grep -q .
FIND_SANDBOX := command -v bwrap >/dev/null
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup setup-models setup-dev browser database sandbox run test test-long check docs screenshots bench bench-paper clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(RUNTIME) ## create .venv and install what the product needs

setup-models: $(MODELS) ## the same, with what opens ONNX, XGBoost and LightGBM files

setup-dev: $(DEV) ## the same, with what the tests and checks need

run: setup ## open the dashboard on this machine
	$(BIN)/python -m streamlit run app.py --server.address 127.0.0.1

# Packages are only installed by whoever may without being asked for a password; else those tests are skipped.
# Parameters: what finds it, the package, what to call it, and what is missing without it.
define find_or_install
	@$(1) || { \
	  [ "$$(id -u)" = 0 ] || may="sudo -n"; \
	  get="$$may env DEBIAN_FRONTEND=noninteractive apt-get"; \
	  if command -v apt-get >/dev/null 2>&1 && $$may true 2>/dev/null; then \
	    echo "Installing $(3) …"; \
	    { $$get install -y -qq $(2) || { $$get update -qq && $$get install -y -qq $(2); }; } >/dev/null 2>&1; \
	  fi; \
	  $(1) || echo "$(4)"; }
endef

browser: ## find a browser for the tests, or install one
	$(call find_or_install,$(FIND_BROWSER),chromium,a browser for the tests,There is no browser: tests/browser is skipped; install Chromium.)

database: ## find a PostgreSQL for the tests, or install one
	$(call find_or_install,$(FIND_DATABASE),postgresql,PostgreSQL for the tests,There is no PostgreSQL: the store is tested on SQLite alone; install postgresql.)

sandbox: ## find bubblewrap for the processes of uploaded models, or install it
	$(call find_or_install,$(FIND_SANDBOX),bubblewrap,bubblewrap,There is no bubblewrap: models run behind the other locks alone.)

# In CI pytest prints its full report; by hand the short one.
test: setup-dev browser database sandbox ## run every test a change can break
	$(BIN)/python -m pytest $(if $(CI),,-q) -n $(JOBS) --dist loadfile

# Tests that passed on this very code are not run again, so a run that was stopped goes on where it was.
test-long: setup-dev browser database sandbox ## run what takes long: kill rounds, load, simulations
	$(BIN)/python -m pytest -n $(JOBS) -m long -p tests.resume --resume .test-long --durations 20

check: setup-dev ## lint, format, types, architecture, spelling
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

docs: setup-dev ## write the README's outputs and docs/commands.md anew
	$(BIN)/python -m tests.docs

screenshots: setup-dev browser ## take the pictures of docs/dashboard.md anew
	$(BIN)/python -m tests.browser.screenshots

bench: setup-dev browser database sandbox ## the paper's experiments, side by side, and the dashboard's promises
	$(BIN)/python -m benchmarks

bench-paper: setup-dev ## the paper's tables with every system; takes hours, goes on where it was stopped
	$(BIN)/python -m benchmarks.paper

clean: ## remove .venv and every cache
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps make the second run quick, and are out of date as soon as a requirement file changes.
# An environment whose pip does not answer (half made, or its Python is gone) is made anew.
$(RUNTIME): requirements.txt constraints.txt
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "AReS Audit needs Python 3.11 or newer, but '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo missing)." >&2; \
	    echo "Install a newer Python, or name one: make $(or $(MAKECMDGOALS),setup) PYTHON=python3.12" >&2; \
	    exit 1; }; \
	  echo "Creating $(VENV) …" && $(PYTHON) -m venv --clear $(VENV); }
	@echo "Installing the packages of requirements.txt …"
	@$(INSTALL) -r requirements.txt
	@touch $@

$(MODELS): $(RUNTIME) requirements-models.txt
	@echo "Installing the packages of requirements-models.txt …"
	@$(INSTALL) -r requirements-models.txt
	@touch $@

$(DEV): $(MODELS) requirements-dev.txt
	@echo "Installing the packages of requirements-dev.txt …"
	@$(INSTALL) -r requirements-dev.txt
	@touch $@
