# make install: .venv with the project in it    make test: lint, types, imports, tests of every door
# make slow:    the tests of which a case takes more than a quarter of a second    make test-all: both
# make quick:   half a minute of the tests that what differs from main touches (SINCE=REVISION for others)
# make claims:  examine every claim, compare the verdicts with those recorded; and the tests of what was examined
# make report:  audit every example, then check every claim while reports/out/index.html says how far; COQ=1: with Coq
# make pages:   that, make docs, and the tests of both in a browser
# make formal:  check the theorems of formal/ with Coq, if it is installed
# make extract: build the checker of certificates that Coq extracts, if Coq and OCaml are installed
# make exported: the tests that have Coq prove exported certificates and refutations, if it is installed
# make check:   all of these    make bench: the benchmark tables (ROOMS=benchmarks/peers: of other tools alone)
# make growth:  times what each command computes at growing sizes (five minutes), and writes the practical limits into docs/
# make soak:    two computations of each quantity on 10^5 instances, goes on where it stopped (SEED=words for others);
#               tests that draw examples and statements that are tried, with a hundred times as many
# make fuzz:    1,200,000 edited and 180,000 forged certificates for the kernel, 200,000 edited files for those that read
#               them, goes on where it stopped (SEED=words for others)
# make mutants: changes in the code that computes leakage; fails where one is neither noticed nor explained
# make wheels:  build the wheel, install it on every Python that is promised, and run tests of it there
# make bare:    the wheel without extras in an environment of its own: its size, and commands that need no more
# make newest:  the newest versions of all packages in an environment of their own, and tests of what they could break
# make sdist:   the source archive, unpacked in an empty folder: the first steps of `make report` and `make test` there
# make docs:    the documentation as a site, in build/docs
# make dependencies: versions and licences of what is installed; fails where one that is needed has no permissive licence
# make constructors: the page of what is read of other libraries, from those that are installed
# make pins:    refresh the versions and hashes that install takes
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
BENCH_STAMP := $(VENV)/.installed-bench
JOBS ?= auto
PARTS = $(if $(filter auto,$(JOBS)),$(shell getconf _NPROCESSORS_ONLN),$(JOBS))
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PINNED := $(PIP) --require-hashes --only-binary :all:
PINS := .venv-pins
DOCS := .venv-docs
ACCOUNTING := .venv-accounting
WHEELS := .venv-wheels
NEWEST := .venv-newest
BARE := .venv-bare
# what other packages could change: standard output, files, solvers, libraries, and what README shows
BREAKABLE ?= tests/project/outside/test_standard_output.py tests/project/test_readme.py::test_commands_of_readme_run_in_order \
	tests/project/outside/test_libraries.py tests/models/files tests/models/mechanisms/adapters tests/lp/exact tests/reports/composition
UNPACKED ?= tests/models/test_framework.py tests/models/test_channel.py tests/kernel/test_program.py tests/project/outside/test_packaging.py
FLOORS := models verify lp counterexamples claims reports examples
PYTHONS ?= python3.11 python3.12 python3.13
# the exact objects, what is true of them, and the kernel; TRIED=tests for all
TRIED ?= tests/models tests/verify tests/kernel/test_corpora.py tests/kernel/test_mutants.py tests/kernel/test_program.py
STRICT ?= --strict
ROOMS ?= benchmarks
# the files with tests of a mark: to collect all 20,000 cases takes each worker half a minute
marked = $(shell grep -rl --include="*.py" "mark\.$(1)\b" tests)
SEED ?= 0

.PHONY: install test slow test-all quick claims pages exported check soak fuzz mutants wheels bare newest sdist dependencies lint report formal extract bench growth constructors docs pins clean

# A source archive comes without the links of src.
install: $(STAMP)

$(STAMP): pyproject.toml constraints/install.txt Makefile
	for each in $(FLOORS) formal; do [ -e src/pufferproof/$$each ] || ln -s ../../$$each src/pufferproof/$$each; done
	$(PYTHON) -m venv $(VENV)
	$(PINNED) --requirement constraints/install.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	$(BIN)/python -m pip --quiet check
	$(BIN)/python -m compileall -q -x "reports/out" src/pufferproof $(FLOORS)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -c 'from pufferproof.claims.registry import load_claims; load_claims()'
	touch $(STAMP)

$(BENCH_STAMP): $(STAMP) constraints/bench.txt constraints/accounting.txt
	$(PINNED) --requirement constraints/install.txt --requirement constraints/bench.txt \
		--no-binary pycddlib-standalone --build-constraint constraints/install.txt --build-constraint constraints/bench.txt
	$(PYTHON) -m venv $(ACCOUNTING)
	$(ACCOUNTING)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
		--requirement constraints/accounting.txt
	touch $(BENCH_STAMP)

lint: $(STAMP)
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.claims.document.typed
	$(BIN)/lint-imports

# Tests start hundreds of interpreters: each module is compiled by the first one only.
test slow claims pages exported soak: export PYTHONDONTWRITEBYTECODE :=

# A process for each core, which collects its part of the files: workers of pytest-xdist would collect all of them each.
test: lint
	@$(MAKE) --no-print-directory --keep-going -j$(PARTS) --output-sync $(addprefix part-,$(shell seq $(PARTS)))

part-%: $(STAMP)
	$(BIN)/pytest -q --part $*/$(PARTS) -m "not slow and not claims and not coq and not pages"

slow: $(STAMP)
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m "slow and not claims and not coq and not pages" tests

test-all: test slow

# In one process: workers would take a part of the half minute to start.
quick: $(STAMP)
	$(BIN)/python -m tests.project.quick $(SINCE)

claims: $(STAMP)
	$(BIN)/pufferproof prove --check --summary
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m claims $(call marked,claims)

# Marked tests are few and share what they build or read: a worker per file.
exported: $(STAMP)
	$(BIN)/pytest -n $(JOBS) --dist loadfile -m coq $(call marked,coq)

pages: report docs
	$(BIN)/pytest -n $(JOBS) --dist loadfile -m pages $(call marked,pages)

check: lint formal extract test slow claims exported pages

soak: $(STAMP)
	mkdir -p build
	$(BIN)/python -m tests.soak --resume build/soak.db --seed "$(SEED)"
	PUFFERPROOF_SOAK=100 $(BIN)/pytest -n $(JOBS) --dist worksteal -m "hypothesis or seeds"
	$(BIN)/pufferproof prove --no-cache --check --summary --instances 100000 --seed "$$(date)"

fuzz: $(STAMP)
	mkdir -p build
	$(BIN)/python -m tests.kernel.fuzz --resume build/fuzz.db --seed "$(SEED)"
	$(BIN)/python -m tests.models.files.fuzz --resume build/fuzz.db --seed "$(SEED)"

mutants: $(STAMP)
	$(BIN)/python -m tests.soak.mutants

# Away from the checkout: the tests are its, the package is that of the wheel.
$(WHEELS)/%/.installed: constraints/install.txt
	$* -m venv $(WHEELS)/$*
	$(WHEELS)/$*/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
		--requirement constraints/install.txt
	touch $@

wheels: $(STAMP) $(PYTHONS:%=$(WHEELS)/%/.installed)
	rm -rf build/wheel
	$(BIN)/python -m build --no-isolation --outdir build/wheel . >/dev/null
	for each in $(PYTHONS); do \
		echo "$$each" && \
		$(WHEELS)/$$each/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall build/wheel/*.whl && \
		$(WHEELS)/$$each/bin/python -m pip --quiet check && \
		$(WHEELS)/$$each/bin/python -I -c 'import pufferproof as it; assert "site-packages" in repr(it)' && \
		$(WHEELS)/$$each/bin/pufferproof ledger >/dev/null && \
		$(WHEELS)/$$each/bin/python -m pytest -q -x -m "not claims and not coq and not pages" $(TRIED) || exit 1; \
	done

# What `pip install` of the wheel alone gives: its size, and what its commands print.
bare: $(STAMP)
	rm -rf build/bare $(BARE)
	$(BIN)/python -m build --wheel --no-isolation --outdir build/bare . >/dev/null
	$(PYTHON) -m venv $(BARE)
	$(BARE)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
		--requirement constraints/base.txt
	$(BARE)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps build/bare/*.whl
	$(BARE)/bin/python -m pip --quiet check
	$(BARE)/bin/python -I tests/project/outside/bare.py

newest:
	rm -rf $(NEWEST)
	$(PYTHON) -m venv $(NEWEST)
	$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade .
	$(NEWEST)/bin/python -I tests/project/outside/bare.py
	$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy eager --editable ".[theory,dev]"
	$(NEWEST)/bin/python -m pip --quiet check
	$(NEWEST)/bin/pytest -q -n $(JOBS) --dist worksteal -m "not claims and not coq and not pages" $(BREAKABLE) || \
		{ $(NEWEST)/bin/python -m pip list --disable-pip-version-check; exit 1; }

# In a folder without git, links and whatever lies about in the checkout. Types are those of the checkout.
sdist: export PYTHONDONTWRITEBYTECODE :=
sdist: $(STAMP)
	rm -rf build/sdist
	$(BIN)/python -m build --sdist --no-isolation --outdir build/sdist . >/dev/null
	folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	tar -xzf build/sdist/*.tar.gz -C "$$folder" --strip-components 1 && \
	$(MAKE) --no-print-directory -C "$$folder" install && \
	cd "$$folder" && . $(BIN)/activate && \
	pufferproof audit examples/textbook/randomized-response/framework.toml \
		examples/textbook/randomized-response/mechanism.csv --epsilon "log(3)" && \
	pufferproof report examples/textbook --out reports/out/audits && \
	pufferproof prove "bai2026.ab*" --check --summary && \
	ruff check --no-cache . && lint-imports && \
	pytest -q -x -m "not claims and not coq and not pages" $(UNPACKED)

report: $(STAMP)
	$(BIN)/pufferproof report $(if $(COQ),--coq )--out reports/out/audits --home ../index.html
	$(BIN)/pufferproof prove --check $(if $(COQ),--coq )--out reports/out/proofs --home ../index.html \
		--start reports/out --benchmarks benchmarks/README.md --summary
	$(BIN)/pufferproof reproduce massny2025.figure3 --out reports/out/figures --replace

# Needs Coq besides what is installed here. FORMAL=require: without Coq it fails, and all is compiled anew;
# FORMAL=kept: it fails too, and takes what an earlier run compiled, if the user's cache has it as it was sealed.
formal: $(STAMP)
	@$(BIN)/python -m pufferproof.claims.vocabulary.coq formal

# Takes what `make formal` compiled. EXTRACT=require: without Coq and OCaml it fails.
extract:
	@cd verify/certificates && $(PYTHON) -m formal.extracting ../../formal

# One thread for NumPy: a second one only waits where both cores are busy, in peers' rows too.
bench growth: export OPENBLAS_NUM_THREADS := 1
bench: $(BENCH_STAMP)
	PYTHONPATH=. $(BIN)/pytest $(ROOMS) -o python_files='bench_*.py' -o addopts=--import-mode=importlib -q \
		--benchmark-timer=benchmarks.peers.beside.cpu_seconds --benchmark-json=benchmarks/.results.json
	$(BIN)/python benchmarks/table.py benchmarks/.results.json

# NAMES="rate partner": of these subjects alone; NAMES=--write: the pages again.
growth: $(BENCH_STAMP)
	PYTHONPATH=. $(BIN)/python -m benchmarks.growth $(NAMES)

constructors: $(STAMP)
	$(BIN)/python -m pufferproof.examples.libraries.coverage --write

$(DOCS)/.installed: constraints/docs.txt
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
		--requirement constraints/docs.txt
	touch $@

# Reads sources and docstrings, and imports nothing of the project but for the pages of documents of claims, which are
# written first. STRICT= for a page with warnings.
docs: export NO_MKDOCS_2_WARNING := 1
docs: $(STAMP) $(DOCS)/.installed
	$(BIN)/python -m pufferproof.reports.proofs.sections.site build/sections
	$(DOCS)/bin/python -B -m mkdocs build --quiet $(STRICT)
	@echo "documentation: build/docs/index.html"

dependencies: $(STAMP)
	$(BIN)/python -m pip --quiet check
	$(BIN)/python docs/site/dependencies.py
	$(BIN)/python docs/site/dependencies.py --check

# Kept versions stay where they can; make pins UPGRADE=1 takes the newest.
pins: export CUSTOM_COMPILE_COMMAND = make pins
pins: COMPILE = $(PINS)/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-annotate \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links $(if $(UPGRADE),--upgrade)
pins:
	$(PYTHON) -m venv $(PINS)
	$(PINS)/bin/python -m pip install --quiet --disable-pip-version-check pip-tools
	$(COMPILE) --extra theory --extra dev --build-deps-for editable --output-file constraints/install.txt pyproject.toml
	$(COMPILE) --constraint constraints/install.txt --output-file constraints/base.txt pyproject.toml
	$(PINS)/bin/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["bench"], sep="\n")' | \
	$(COMPILE) --constraint constraints/install.txt --output-file constraints/bench.txt -
	$(PINS)/bin/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"], sep="\n")' | \
	$(COMPILE) --constraint constraints/install.txt --output-file constraints/docs.txt -
	$(PINS)/bin/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["accounting"], sep="\n")' | \
	$(COMPILE) --output-file constraints/accounting.txt -

clean:
	rm -rf $(VENV) $(PINS) $(DOCS) $(ACCOUNTING) $(WHEELS) $(NEWEST) $(BARE) build dist formal/.build formal/.exported reports/out .pytest_cache .mypy_cache .ruff_cache .hypothesis
