# Everything from nothing on a machine with Python 3.11+ and make. `make` alone lists what there is.
.DEFAULT_GOAL := help
.PHONY: help run test bench lint format clean packages dev-packages
.SILENT:

BIN := .venv/bin
RECENT = import sys; sys.exit(sys.version_info < (3, 11))
ifndef PYTHON
PYTHON := $(shell for name in python3.13 python3.12 python3.11 python3 python; do \
	if command -v $$name >/dev/null 2>&1 && $$name -c '$(RECENT)' 2>/dev/null; then echo $$name; break; fi; done)
endif
# As many test processes as there are cores, two at least.
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
JOBS ?= $(if $(filter 0 1,$(CORES)),2,$(CORES))

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
	awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: packages ## everything, at http://127.0.0.1:$PORT/ (8000); Ctrl-C stops it. METERHOUSE_DATA is the data folder (.data)
	exec $(BIN)/python -m config.run

test: lint ## style, types, import contracts and the whole suite; needs no running copy
	# A file stays on one process: some share a running copy, which is dear to start.
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile -q

bench: packages ## the benchmarks, each beside its baseline
	exec $(BIN)/python -m benchmarks $(ONLY)

lint: export METERHOUSE_DATA := $(CURDIR)/.venv/lint-data
lint: dev-packages ## ruff, mypy, import-linter
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet . || { echo "Some files are not formatted: run make format." >&2; exit 1; }
	$(BIN)/mypy .
	$(BIN)/lint-imports

format: dev-packages ## let ruff put the code in order
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format --quiet .

clean: ## remove .venv and caches; the data stays
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.data/*' -prune -exec rm -rf {} +

packages:
	$(call install,requirements.txt,requirements.txt,packages.stamp)

dev-packages:
	$(call install,requirements-dev.txt,requirements.txt requirements-dev.txt,dev-packages.stamp packages.stamp)
