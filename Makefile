# make install: .venv with the project in it    make test: lint, types, imports, tests
# make report:  audit every example, check every claim    make bench: the benchmark table
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
BENCH_STAMP := $(VENV)/.installed-bench
JOBS ?= auto

.PHONY: install test lint report bench clean

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt Makefile
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $(STAMP)

$(BENCH_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,bench]'
	touch $(BENCH_STAMP)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest -n $(JOBS)

report: $(STAMP)
	$(BIN)/pufferproof report --out reports/out
	$(BIN)/pufferproof prove --out reports/out-proofs --summary

bench: $(BENCH_STAMP)
	cd benchmarks && ../$(BIN)/pytest bench_audit.py bench_claims.py bench_nfc.py bench_worst.py bench_bounds.py bench_collapse.py bench_redaction.py bench_influence.py bench_noise.py bench_quilts.py -o python_files='bench_*.py' -o addopts= -q --benchmark-json=.results.json
	$(BIN)/python benchmarks/table.py benchmarks/.results.json

clean:
	rm -rf $(VENV) build dist reports/out reports/out-proofs .pytest_cache .mypy_cache .ruff_cache .hypothesis
