# `make demo` and `make test` work in a fresh clone: each makes its own environment in .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test test-long lint bench clean help

help:
	@echo "make demo       evaluate a hand"
	@echo "make test       lint, types, import contracts and every test (about eight minutes)"
	@echo "make test-long  the long statistical and fuzz tests"
	@echo "make bench      the benchmarks, beside their C yardstick"
	@echo "make clean      remove the environment and caches"
	@echo "PYTHON=python3.13 and VENV=.venv313 choose another Python"

demo: $(VENV)/.installed
	$(BIN)/pitchsim hand "AS JS 10S 5S KH 2D" --rules partners --seed 7

# A process for each processor, and each file of tests in one of them.
IN_PARALLEL := --numprocesses logical --maxprocesses 8 --dist loadfile

test: lint
	$(BIN)/pytest $(IN_PARALLEL)

test-long: $(VENV)/.installed-dev
	$(BIN)/pytest -m "long or hypothesis" --hypothesis-profile=long $(IN_PARALLEL)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "pitchsim needs Python 3.11 or later; choose one with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
