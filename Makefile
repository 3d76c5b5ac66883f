# `make evolve`, `make play` and `make test` do all set-up themselves: they need python3 (3.11 or newer) and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: evolve play test test-all quick-tests all-tests lint types docs release clean

# Each of these prints its result as a whole when it is done; only the tests show how far they are.
# Make before version 4 prints lines as they come.
SIDE_BY_SIDE = $(MAKE) --no-print-directory --jobs=4 \
	$(if $(filter output-sync,$(.FEATURES)),--output-sync=target) OUTPUT=3 lint types docs
OUTPUT := 1
# Tests start many processes, which start sooner from bytecode.
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n 2 --dist worksteal

evolve: $(VENV)/.plot
	$(BIN)/nlhe train --preset heads-up-quick
	$(BIN)/nlhe evaluate progress latest --bench heads-up

play: $(VENV)/.web
	$(BIN)/nlhe play $(PLAY)

test: $(VENV)/.dev
	@$(SIDE_BY_SIDE) quick-tests 3>&1

test-all: $(VENV)/.dev
	@$(SIDE_BY_SIDE) all-tests 3>&1

quick-tests: $(VENV)/.dev
	$(PYTEST) -m "not slow" >&$(OUTPUT)

all-tests: $(VENV)/.dev
	$(PYTEST) >&$(OUTPUT)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

docs: $(VENV)/.dev
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --nitpicky --quiet \
		$(if $(SITE),-D html_baseurl='$(SITE)') docs build/docs
	@echo "The site is built: build/docs/index.html"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "nlhe-env needs Python 3.11 or newer; choose one with make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# A stamp per set of extras, renewed when the project file changes.
$(VENV)/.plot: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[plot]'
	@touch $@

$(VENV)/.web: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[web]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.plot $(VENV)/.web

release: $(VENV)/.dev
	.ci/release

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
