# selfsame: build, test and check. `make help` lists the targets.
PYTHON ?= python3
GO ?= go
BUILD := build
LIB := $(BUILD)/lib/libselfsame.so
VENV := $(BUILD)/venv
VENV_PYTHON := $(VENV)/bin/python
ACTIONLINT := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Folders named build and hidden ones have no sources, and a test may remove one at this moment.
GO_SOURCES := $(shell find . \( -name build -o -name '.?*' \) -prune -o \( -name '*.go' -o -name '*.map' -o -name 'go.*' \) -print)
# The packages of every module of the workspace.
GO_PACKAGES = $(shell $(GO) list -m -f '{{.Dir}}/...')
GO_TEST_ENV = TVM_FFI_INCLUDE="$$($(VENV_PYTHON) scripts/tvm_ffi_path.py include)" \
              TVM_FFI_LIBRARY="$$($(VENV_PYTHON) scripts/tvm_ffi_path.py library)" SELFSAME_LIBRARY="$(CURDIR)/$(LIB)"
PLANE_SOURCES := $(shell find abi cmd internal -name '*.[chS]' -o -name '*.cc')
PYTHON_SOURCES := $(shell find python/src -name '*.py' -o -name '*.pyi' -o -name '*.[ch]' -o -name py.typed) \
                  $(wildcard setup.py pyproject.toml)

.PHONY: $(shell sed -n 's/^\([a-z0-9-]*\):.*\#\#.*/\1/p' $(firstword $(MAKEFILE_LIST))) # every target with a description

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed 's/:[^#]*## /\t/' | expand -t 16

deps: ## check for compilers and headers, install or name what is missing
	@scripts/deps.sh "$(PYTHON)"

lib: deps $(LIB) ## build/lib/libselfsame.so and the public headers in build/include

$(LIB): $(GO_SOURCES) $(PLANE_SOURCES) scripts/library.sh
	@echo "building $@"
	@mkdir -p $(BUILD)/lib $(BUILD)/include/selfsame
	@cp abi/include/selfsame/*.h $(BUILD)/include/selfsame/
	@GO=$(GO) scripts/library.sh $@
	@rm -f $(BUILD)/lib/libselfsame.h

python: lib $(VENV)/.installed ## build/venv with the Python package in it

$(VENV)/.installed: $(LIB) $(BUILD)/bin/selfsame-ffi $(PYTHON_SOURCES) scripts/requirements-test.txt scripts/venv.sh
	@scripts/venv.sh "$(PYTHON)" $(VENV)
	@touch $@

demo: python $(BUILD)/demo/.built ## the markdown example, built, imported and checked
	@$(VENV_PYTHON) examples/markdown/demo.py

$(BUILD)/bin/selfsame-ffi: $(GO_SOURCES) $(PLANE_SOURCES)
	@mkdir -p $(BUILD)/bin
	@$(GO) build -o $@ ./cmd/selfsame-ffi

$(BUILD)/demo/.built: $(BUILD)/bin/selfsame-ffi
	@$(BUILD)/bin/selfsame-ffi build examples/markdown -o $(BUILD)/demo
	@$(BUILD)/bin/selfsame-ffi build examples/geo -o $(BUILD)/demo
	@$(BUILD)/bin/selfsame-ffi build examples/inventory -o $(BUILD)/demo
	@touch $@

# A part of each area: values, calls, classes, containers, errors, identity, the collector.
QUICK_GO := . ./abi/... ./internal/handles ./internal/container
QUICK_GO_TESTS := Handle|Class|Field|Function|Call|List|Map|Array|Dict|Tensor|Value|Error|Kinds|Adopt|Nursery|Example
QUICK_PYTHON := errors identity/test_identity.py identity/test_id_after_drop.py identity/test_round_trip.py \
  identity/test_states.py calls/test_convert.py calls/test_callbacks.py calls/test_functions.py containers/test_array.py \
  containers/test_list.py containers/test_map.py classes/test_fields.py classes/test_py_class.py collector/test_cycles.py \
  tensors/test_tensor.py threads/test_deferred_release.py debug/test_debug_report.py pickles/test_pickle_copy.py
quick: python ## a representative part of the Go and Python tests, in half a minute once everything is built
	@$(GO_TEST_ENV) $(GO) test -count=1 -short -run '$(QUICK_GO_TESTS)' $(QUICK_GO)
	@$(VENV_PYTHON) -m pytest -q $(QUICK_PYTHON:%=python/tests/%)

test: test-go test-python test-examples test-wheel ## every test but the slow suites

# The tool and the examples mostly start other programs: a race detector in them would compile much and find little.
test-go: lib $(VENV)/.installed ## Go tests; those of the frontend and the runtime under the race detector
	$(GO_TEST_ENV) $(GO) test -race -timeout 3h ./...
	$(GO_TEST_ENV) $(GO) test -timeout 3h $(filter-out $(CURDIR)/...,$(GO_PACKAGES))

test-python: python ## the Python suite on $(PYTHON), and on the oldest and newest CPython at hand
	@scripts/matrix.sh ends

test-examples: python $(BUILD)/demo/.built ## the examples' own tests
	PYTHONPATH=$(BUILD)/demo $(VENV_PYTHON) -m pytest -q examples

REAL := compress rules search
examples-real: python $(BUILD)/bin/selfsame-ffi ## packages of zstd, expr and bleve: built, tested in Go and Python, timed beside pure Go (REAL="compress" chooses)
	@for name in $(REAL); do $(BUILD)/bin/selfsame-ffi build examples/$$name -o $(BUILD)/examples || exit 1; \
	  (cd examples/$$name && $(GO) vet ./... && $(GO) test ./...) || exit 1; done
	PYTHONPATH=$(BUILD)/examples $(VENV_PYTHON) -m pytest -q $(REAL:%=examples/%) examples/test_readmes.py
	@PYTHONPATH=$(BUILD)/examples $(VENV_PYTHON) examples/speed.py $(REAL)

wrap: python $(BUILD)/bin/selfsame-ffi ## forty-two Go libraries as Python packages with no line written: wrapped, built, types checked, a job with each, the coverage (fetches them; WRAP="roaring goja" chooses)
	@PYTHON=$(VENV_PYTHON) TOOL=$(BUILD)/bin/selfsame-ffi scripts/wrap/wrap.sh $(WRAP)

wrap-writes: python $(BUILD)/bin/selfsame-ffi ## each func of the standard library's packages that writes an argument, called from Python and from Go, and compared
	@$(VENV_PYTHON) -m scripts.wrap.writes $(CURDIR)/$(BUILD)/bin/selfsame-ffi $(BUILD)/wrap-writes

wrap-objections: ## what a reviewer of Python interfaces objects to in the packages that wrap has built: at most a twentieth of each
	@$(PYTHON) -m scripts.wrap.objections $(BUILD)/wrap

wrap-coverage: $(BUILD)/bin/selfsame-ffi ## what selfsame-ffi wrap binds of ten Go libraries, written into the table of docs/wrap.md (fetches them)
	@$(PYTHON) -m scripts.wrap.coverage $(CURDIR)/$(BUILD)/bin/selfsame-ffi $(BUILD)/wrap --write

exporters: python ## memory of PyTorch, JAX, Arrow and Warp through Tensors to each other, read-only and lazy ones too; rows of Go in data frames (fetches them)
	@$(PYTHON) -m scripts.tools.environments folder $(BUILD)/exporters torch jax pyarrow warp-lang pandas polars duckdb
	PYTHONPATH=$(BUILD)/exporters $(VENV_PYTHON) -m pytest -q python/tests/tensors/test_exporters.py python/tests/packages/test_arrow.py

clusters: python $(BUILD)/bin/selfsame-ffi ## objects, functions and tensors on a Dask cluster and on Ray, with several processes (fetches both)
	@PYTHON=$(VENV_PYTHON) scripts/clusters.sh

test-wheel: python $(BUILD)/bin/selfsame-ffi ## a wheel for $(PYTHON), installed into an empty environment and used
	$(VENV_PYTHON) -m pytest -q scripts/wheels

docs: ## the documentation site in build/site, with its links checked, and man pages in build/man
	@$(PYTHON) -m scripts.tools.environments venv $(BUILD)/docs-venv scripts/requirements-docs.txt
	@$(PYTHON) -m scripts.drawings --check
	@$(PYTHON) -m scripts.site
	@NO_MKDOCS_2_WARNING=1 $(BUILD)/docs-venv/bin/mkdocs build --strict --quiet

NOTEBOOKS ?=
notebooks: python $(BUILD)/bin/selfsame-ffi ## the notebooks of docs/notebooks, run, and what they print compared (NOTEBOOKS="leaks" chooses, "--record" writes it)
	@scripts/notebooks.sh $(NOTEBOOKS)

notebooks-torch: python ## the notebook with PyTorch, which it installs
	@EXTRA=torch scripts/notebooks.sh torch

test-browser: python $(BUILD)/bin/selfsame-ffi docs ## the site, at two widths, light and dark, and the page of a graph in headless Chromium (installed as root on Debian, else named)
	@$(PYTHON) -m scripts.tools.debian "chromium|google-chrome=chromium" chromedriver=chromium-driver
	@$(PYTHON) -m scripts.tools.environments venv $(BUILD)/browser-venv scripts/browser/requirements.txt
	$(BUILD)/browser-venv/bin/python -m pytest -q scripts/browser

newcomer: python $(BUILD)/bin/selfsame-ffi ## a new user: new, develop, a wheel, another CPython (SELFSAME_ZIG: zig, for two processors)
	$(VENV_PYTHON) -m pytest -q -s scripts/newcomer

FINDINGS ?=
findings: ## the scripts of findings/ on other programs' behaviour, one after another, and which still hold (FINDINGS="NAME" chooses; fetches packages)
	@$(PYTHON) scripts/findings.py $(FINDINGS)

STEPS ?=
release-check: python ## what RELEASING.md asks for, without publishing: notes, licences, interfaces, wheels built twice, bill of materials, checksums (STEPS="notes api" chooses)
	@$(PYTHON) -m scripts.release.check $(STEPS)

api-diff: ## the Go and Python interfaces beside those of the last release: no break without a fragment in changes/ (fetches apidiff and griffe)
	@$(PYTHON) -m scripts.api_diff.main

WAYS ?= test_application.py test_build_tools.py test_checkout.py test_container.py test_debian.py test_go.py test_pip.py
ways-in: python ## every way in: pip from a clone and editable, packages built by pip, uv, build, tox and cibuildwheel, go get and go install, the README's lines, a container, a bare Debian (WAYS="test_go.py" chooses)
	$(VENV_PYTHON) -m pytest -q -s $(WAYS:%=scripts/ways_in/%)

WHEELS ?=
wheels: deps ## wheels for every CPython at hand and each platform, tried, in build/dist (WHEELS="--pythons 3.11" chooses)
	@$(PYTHON) -m scripts.wheels.main $(WHEELS)

wheels-macos: deps ## wheels for macOS on both processors, built with zig and inspected, not run, in build/dist
	@$(PYTHON) -m scripts.wheels.main --targets "x86_64-macos aarch64-macos" --pythons 3.13 --no-sdist

WINDOWS ?=
windows: ## the library, the package and a Go package built for Windows, and the suite's parts that apply there, under wine (WINDOWS="identity calls" chooses)
	@$(PYTHON) -m scripts.windows.main $(WINDOWS)

MUSL ?=
musl: ## the library, the package and Go packages built for musl, and the suite's parts that apply there, with a CPython for musl (MUSL="identity calls" chooses)
	@$(PYTHON) -m scripts.musl.main $(MUSL)

test-arm64: ## identity, the ABI core and forks with the wheel for 64-bit ARM, under qemu (after make wheels)
	@$(PYTHON) -m scripts.wheels.arm64_tests

MATRIX ?=
matrix: python ## the Python suite on every supported CPython at hand (MATRIX="3.14 3.14t" chooses)
	@scripts/matrix.sh $(MATRIX)

matrix-all: python ## the same on every supported CPython, after setting up those that are missing
	@scripts/matrix.sh all $(MATRIX)

conformance: python ## C, C++ and Rust programs on libselfsame.so, built against the published headers and crate
	@VENV_PYTHON=$(VENV_PYTHON) scripts/conformance.sh
	@$(VENV_PYTHON) -m conformance.differential.compare $(LIB) "$$($(VENV_PYTHON) scripts/tvm_ffi_path.py library)"
	@if command -v cargo >/dev/null 2>&1; then VENV_PYTHON=$(VENV_PYTHON) scripts/conformance_rust.sh; \
	else echo "cargo is not installed: the Rust program was not run (install Rust, or Debian's package cargo)"; fi

conformance-asan: python ## the C and C++ programs with the address and undefined-behaviour sanitizers in them and in the library
	@VENV_PYTHON=$(VENV_PYTHON) scripts/conformance_sanitize.sh

conformance-valgrind: python ## the C and C++ programs under valgrind: no leak, no bad access
	@VENV_PYTHON=$(VENV_PYTHON) scripts/conformance_sanitize.sh --valgrind

conformance-old: python ## libraries, programs and packages of earlier releases, 0.1.0 on (RELEASES="0.1.3 0.1.7" chooses, RELEASES=--libraries: only those)
	@STOCK_PYTHON=$(abspath $(VENV_PYTHON)) GO="$(GO)" scripts/conformance_old.sh $(RELEASES)

conformance-bindings: python $(BUILD)/bin/selfsame-ffi ## what `selfsame-ffi bind` writes for C++ and Rust, compiled with the published headers and crate, and run
	@VENV_PYTHON=$(VENV_PYTHON) scripts/conformance_bindings.sh

conformance-upstream: python ## upstream's own C++ and Python tests, from its newest source distribution (UPSTREAM="cpp" chooses)
	@$(VENV_PYTHON) -m conformance.upstream.run $(LIB) $(BUILD)/upstream $(UPSTREAM)

conformance-crate: python ## the published Rust crate's own tests
	@VENV_PYTHON=$(VENV_PYTHON) scripts/conformance_rust.sh --crate

stock-python: python ## the stock tvm_ffi package with libselfsame.so in the place of its library (after make conformance)
	@STOCK_PYTHON=$(VENV_PYTHON) scripts/stock_python.sh

real-packages: python ## TVM, xgrammar and TileLang from PyPI on both libraries, and on our Python package: equal results in ROUNDS (7) rounds, CPU time; packages that use tvm-ffi, imported and tested (REAL_PACKAGES="xgrammar", "dependents")
	@PYTHON=$(VENV_PYTHON) scripts/real_packages.sh $(if $(ROUNDS),--rounds $(ROUNDS)) $(REAL_PACKAGES)

clients: python $(BUILD)/bin/selfsame-ffi ## Go packages of xgrammar, TVM and TileLang from PyPI: written, built, and results of generated calls compared with Python's (CLIENTS="xgrammar" chooses, "structured" is the example alone)
	@TOOL=$(BUILD)/bin/selfsame-ffi $(VENV_PYTHON) -m scripts.clients $(CLIENTS)

tilelang: python $(BUILD)/bin/selfsame-ffi ## kernels that TileLang compiles for the CPU, called from Go: equal to Python's (installs TileLang and PyTorch, several gigabytes, unless TILELANG_PATH has them)
	@TOOL=$(BUILD)/bin/selfsame-ffi $(VENV_PYTHON) -m scripts.clients_tilelang

CLASSIFY ?=
classify: $(VENV)/.installed ## a network compiled by TVM from PyPI (100 MB) and served by Go: results equal to Python's, requests a second beside it (CLASSIFY=0 leaves these out)
	@$(VENV_PYTHON) -m scripts.classify $(CLASSIFY)

PREDICT ?=
predict: $(VENV)/.installed ## a scikit-learn pipeline served from Go with Python in it: results equal to Python's, requests in a CPU second and latency beside a pipe and FastAPI (fetches them; PREDICT=0 leaves the figures out)
	@$(VENV_PYTHON) -m scripts.predict $(PREDICT)

upstream-python: python ## upstream's own Python suite on our package, beside stock (FILES="container dtype" chooses, FRAMEWORKS=1: with PyTorch, NumPy, ml_dtypes and JAX)
	@$(VENV_PYTHON) -m scripts.upstream.main $(if $(FRAMEWORKS),--frameworks) $(FILES)

upstream-pages: python ## the Python blocks of upstream's pages, docstrings and examples on our package, beside stock (PAGES="quickstart module" chooses, FRAMEWORKS=1: with PyTorch, NumPy and JAX)
	@$(VENV_PYTHON) -m scripts.upstream.pages $(if $(FRAMEWORKS),--frameworks) $(PAGES)

python-api: python ## hundreds of calls of the public Python interface on the published package and on ours: values, exceptions, messages
	@$(VENV_PYTHON) -m conformance.python_api.python_api_compare $(PYTHON_API)
	@$(VENV_PYTHON) -m scripts.api_table --check

counts: python $(BUILD)/bin/selfsame-ffi ## the strong counts that native code sees, for 60,000 shapes of holders in Python and native code, beside the published package, and docs/counts.md (COUNTS=--write writes it, --rows is a part)
	@SELFSAME_FFI=$(CURDIR)/$(BUILD)/bin/selfsame-ffi $(VENV_PYTHON) conformance/counts/counts.py $(COUNTS)

check: deps ## formatters, linters, type checkers, and what pages and sources must say (scripts/checks)
	@scripts/check.sh "$(PYTHON)" "$(STATICCHECK)" "$(ACTIONLINT)"

format: ## rewrite the sources the way `make check` wants them
	@scripts/check.sh --fix "$(PYTHON)"

asan: python ## the Python suite with the address and undefined-behaviour sanitizers in the C parts
	@scripts/asan.sh "$(PYTHON)"

asan-core: python ## the same without the tests of forks, compilers, tools and pages
	@scripts/asan.sh "$(PYTHON)" --core

valgrind: python ## a representative part of the Python suite under valgrind's memory check
	@scripts/valgrind.sh

debug-python: lib ## the Python suite on a debug build of CPython, with its assertions (PYTHON_DEBUG names one)
	@scripts/debug_python.sh

tsan: ## the code that runs on many threads, under the thread sanitizer
	SELFSAME_RACE_ROUNDS=$${SELFSAME_RACE_ROUNDS:-2000} $(GO) test -count=1 -timeout 3h -run Sanitizer ./internal/tie ./internal/plane ./internal/stubs
	@scripts/tsan.sh

HOST ?=
host: python ## Python in a Go program: its tests with a million random operations, and with the race detector (HOST="VENV..." adds Pythons)
	@GO="$(GO)" scripts/host.sh $(HOST)

embedded: lib ## a Go program that brings CPython and NumPy along, built without a Python, in a root with nothing else (fetches them)
	@GO="$(GO)" scripts/embedded.sh

model: python ## minutes of random operations against the identity model, and of threads on shared objects
	@scripts/model.sh

PERTURB ?= classes collector containers errors identity pickles tensors threads
perturb: python ## the Python tests of these rooms with fresh and freed memory filled: uses before a write and after a free show (PERTURB="identity" chooses)
	MALLOC_PERTURB_=$${MALLOC_PERTURB_:-165} PYTHONMALLOC=malloc $(VENV_PYTHON) -m pytest -q $(PERTURB:%=python/tests/%)

SOAK_MINUTES ?= 60
soak: python $(BUILD)/demo/.built ## mixed load on two cores for SOAK_MINUTES (60), with flat memory at the end
	$(VENV_PYTHON) python/tests/support/soak.py --minutes $(SOAK_MINUTES)

SERVICE := $(BUILD)/service
service: python $(BUILD)/demo/.built ## a web service under gunicorn and uvicorn: pauses, processor time and memory beside the same work in Python
	@$(VENV_PYTHON) -m scripts.tools.environments folder $(SERVICE) scripts/requirements-service.txt
	@$(VENV_PYTHON) bench/service/main.py $(SERVICE) $(BUILD)/demo $(SERVICE_REQUESTS)

CONTAINER_ROUNDS ?= 4000
properties: python ## millions of random operations on containers and classes: against models, and header code and Go in turn
	TVM_FFI_INCLUDE="$$($(VENV_PYTHON) scripts/tvm_ffi_path.py include)" \
	TVM_FFI_LIBRARY="$$($(VENV_PYTHON) scripts/tvm_ffi_path.py library)" SELFSAME_CONTAINER_ROUNDS=$(CONTAINER_ROUNDS) \
	SELFSAME_LIBRARY="$(CURDIR)/$(LIB)" $(GO) test -count=1 -timeout 3h -v -run 'Random|Large|AgainstHeaderCode' ./internal/container
	SELFSAME_EXAMPLES=$(CONTAINER_ROUNDS) $(VENV_PYTHON) -m pytest -q python/tests/containers/test_containers_against_python.py \
	  python/tests/classes/test_dataclasses_against_python.py

fuzz: python ## each fuzzer for FUZZTIME (10m), one after another; FUZZERS="json graph" chooses
	@scripts/fuzz.sh $(FUZZERS)

forks: python ## 1,000 forks under load, of the runtime and of Go packages (SELFSAME_FORKS: how many), pools, servers, PyTorch's data loader
	@scripts/forks.sh

bench: python ## side by side with the peers
	@scripts/bench.sh
	@echo "tie word: record or prefix"
	@$(MAKE) --no-print-directory bench-tie

bench-instructions: python ## instructions of the hottest operations (callgrind) against bench/profiles, with a margin of 3%
	@scripts/bench.sh --instructions

bench-calls: python ## a call of each public function, method and property beside the published package's (CALLS="Module" chooses)
	@scripts/bench.sh --calls $(CALLS)

bench-fast-paths: python ## each fast path switched off in a copy, and its gain written into docs/fast-paths.md (FAST_PATHS="go" chooses)
	@scripts/bench.sh --fast-paths $(FAST_PATHS)

plots: ## docs/figures and the table of docs/figures.md, from build/bench.json (after make bench) and bench/profiles
	@$(PYTHON) -m scripts.tools.environments venv $(BUILD)/plots-venv scripts/requirements-plots.txt
	@$(BUILD)/plots-venv/bin/python -m scripts.plots

bench-go: ## the Go frontend beside bare cgo, Go alone and, after make python, C++
	@TVM_FFI_INCLUDE="$$($(VENV_PYTHON) scripts/tvm_ffi_path.py include 2>/dev/null)" $(GO) run ./bench/frontend

bench-abi: python ## the C ABI and the builtin functions, beside the published libtvm_ffi.so
	@VENV_PYTHON=$(VENV_PYTHON) scripts/bench_abi.sh $(BENCH_ABI)

STRESS ?= 1m
stress-go: ## Go handles made, shared, fetched and dropped by 64 goroutines under the race detector, for STRESS (1m)
	SELFSAME_STRESS=$(STRESS) $(GO) test -race -count=1 -run 'Stress' -v .

# Everything that changes when the collector runs, how cgo checks, or what is recorded. -short leaves out what builds other programs.
test-go-modes: python ## the Go frontend's tests with -race, -tags debug, cgocheck, cgocheck2 and GOGC=1
	$(GO) test -short -race .
	$(GO) test -short -tags debug .
	$(GO) test -short -race -tags debug .
	GODEBUG=cgocheck=1 $(GO) test -short -count=1 .
	GOEXPERIMENT=cgocheck2 $(GO) test -short -count=1 .
	GOGC=1 $(GO) test -short -count=1 .
	TVM_FFI_INCLUDE="$$($(VENV_PYTHON) scripts/tvm_ffi_path.py include)" SELFSAME_DEBUG_SUITE=1 \
	TVM_FFI_LIBRARY="$$($(VENV_PYTHON) scripts/tvm_ffi_path.py library)" $(GO) test -count=1 -run 'TestSuitePassesOnSharedRuntimes/debug' .

bench-collector: python ## a full collection with natives beside pure Python objects; bytes kept for dead wrappers
	@$(VENV_PYTHON) bench/python/collector.py
	@$(VENV_PYTHON) bench/python/kept.py

footprint: python $(BUILD)/demo/.built ## address space, resident memory and threads after an import, beside the stock package
	@$(VENV_PYTHON) bench/python/footprint.py

bench-tie: ## where the tie word lives: the measurement behind RATIONALE.md
	@mkdir -p $(BUILD)/bench
	@gcc -std=gnu11 -O2 -Iabi/include bench/tie/main.c internal/tie/tie.c internal/tie/registration_lock.c internal/tie/spare_records.c -lpthread -o $(BUILD)/bench/tie && $(BUILD)/bench/tie

gpu: python ## tests with tensors on a GPU, and calls with them beside stock tvm_ffi, where PyTorch sees one
	@PYTHON=$(VENV_PYTHON) scripts/gpu.sh

bench-many: python ## many items at once: loops of calls, map, ufunc, NumPy and plain Python
	@$(GO) run ./cmd/selfsame-ffi build bench/python/gocalls -o $(BUILD)/bench
	@$(VENV_PYTHON) bench/python/many.py $(BUILD)/bench

bench-wrap: python $(BUILD)/bin/selfsame-ffi ## wrapped methods beside hand-written ones, roaring beside pyroaring, excelize beside openpyxl, rows beside pyarrow (fetches them)
	@mkdir -p $(BUILD)/wrap
	@cd $(BUILD)/wrap && $(CURDIR)/$(BUILD)/bin/selfsame-ffi wrap $(CURDIR)/bench/python/tally --replace $(CURDIR) --accept
	@$(BUILD)/bin/selfsame-ffi build bench/python/byhand -o $(BUILD)/wrap/byhand
	@$(BUILD)/bin/selfsame-ffi build bench/python/gocalls -o $(BUILD)/wrap/byhand
	@PYTHON=$(VENV_PYTHON) TOOL=$(BUILD)/bin/selfsame-ffi scripts/wrap/wrap.sh roaring excelize
	@$(VENV_PYTHON) -m scripts.tools.environments folder $(BUILD)/wrap/peers pyroaring openpyxl pyarrow
	@PYTHONPATH=$(BUILD)/wrap/tally/build:$(BUILD)/wrap/byhand:$(BUILD)/wrap/roaring/build:$(BUILD)/wrap/excelize/build:$(BUILD)/wrap/peers $(VENV_PYTHON) bench/python/wrapped.py

SINCE ?= 0ecb970
lines: ## lines of the product by language and part, at SINCE and now
	@$(PYTHON) -m scripts.lines $(SINCE)

clean: ## remove everything that was built
	rm -rf $(BUILD)
