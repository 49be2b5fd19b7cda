package main

// Requirement: F7

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestLinksOfAPageLeadToItsHeadings(t *testing.T) {
	page := "## `geo`\n\n- [**Point**](#geo.Point) (<code>[int](#int)</code>)\n\n### `geo.Point`\n"
	want := "<a id=\"geo\"></a>\n\n## `geo`\n\n- [**Point**](#geo.Point) (<code>int</code>)\n\n<a id=\"geo.Point\"></a>\n\n### `Point`\n"
	if got := linked(page, "geo"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAnnotationsOfAPageNameModulesAsTheirUsersDo(t *testing.T) {
	const module = "import datetime as _datetime\nif True:\n    import selfsame_ffi as _ffi\n"
	const page = "f(at: _datetime.date, all: _ffi.Array[my_ffi.A]) -> _time_Zone | _time_ZoneRules"
	got := public(page, "__init__", module)
	got = public(got, "time", "if True:\n    from . import _time_Zone as Zone\n    from . import _time_ZoneRules as ZoneRules\n")
	if want := "f(at: datetime.date, all: selfsame_ffi.Array[my_ffi.A]) -> time.Zone | time.ZoneRules"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPageListsFunctionsOnce(t *testing.T) {
	page := "## `geo`\n\nPackage geo.\n\nFunctions:\n\n    f() -> int\n        Returns\n\n        **one**\n\n**Functions:**\n\n- [**f**](#geo.f)\n"
	if got, want := withoutSummary(page), "## `geo`\n\nPackage geo.\n\n**Functions:**\n\n- [**f**](#geo.f)\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPageOfAPackageHasItsInterface(t *testing.T) {
	dir, file := module(t, geo), filepath.Join(t.TempDir(), "docs", "geo.md")
	output, err := selfsame(t, "docs", dir, "-o", file)
	if err != nil && strings.Contains(err.Error(), "pip install "+documenter) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	text := testenv.Value(os.ReadFile(file))(t)
	testenv.Contains(t, string(text), "### `Point`", "gives the distance from the origin", "norm() -> float", "https://pkg.go.dev/example.org/geo")
}

func TestDocsWithoutTheDocumenterSaysWhatToInstall(t *testing.T) {
	python := filepath.Join(t.TempDir(), "python")
	testenv.OK(t, os.WriteFile(python, []byte("#!/bin/sh\nexit 1\n"), 0o700))
	t.Setenv("SELFSAME_PYTHON", python)
	if _, err := selfsame(t, "docs", module(t, geo)); err == nil || !strings.Contains(err.Error(), "-m pip install griffe2md") {
		t.Errorf("got %v", err)
	}
}
