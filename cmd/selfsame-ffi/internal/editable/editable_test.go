package editable

// Requirement: G1

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// install installs the package geo and returns the names of the files in site-packages.
func install(t *testing.T, p *Python, version string) []string {
	t.Helper()
	testenv.OK(t, p.Install(wheel.Metadata{Name: "geo", Version: version}, "geo", "/src/geo/build/develop", "/src/geo/build/develop/geo.json"))
	entries := testenv.Value(os.ReadDir(p.Packages))(t)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestInstallWritesWhatPipKnows(t *testing.T) {
	p := &Python{Path: "python", Packages: t.TempDir(), Selfsame: "0.1.0", Develop: true}
	want := []string{"__editable__.geo.pth", "geo-0.1.0.dist-info"}
	if got := install(t, p, "0.1.0"); !slices.Equal(got, want) {
		t.Errorf("wrote %q, want %q", got, want)
	}
	path := testenv.Value(os.ReadFile(filepath.Join(p.Packages, "__editable__.geo.pth")))(t)
	lines := strings.Split(strings.TrimSpace(string(path)), "\n")
	if len(lines) != 2 || lines[0] != "/src/geo/build/develop" || !strings.HasPrefix(lines[1], "import sys; exec(") {
		t.Errorf("the path file is\n%s", path)
	}
	record, err := os.ReadFile(filepath.Join(p.Packages, "geo-0.1.0.dist-info", "RECORD"))
	if err != nil || strings.Count(string(record), "\n") != 5 || !strings.Contains(string(record), "__editable__.geo.pth,sha256=") {
		t.Errorf("RECORD is\n%s\nerror %v", record, err)
	}
	want[1] = "geo-0.2.0.dist-info"
	if got := install(t, p, "0.2.0"); !slices.Equal(got, want) {
		t.Errorf("a later version: wrote %q, want %q", got, want)
	}
}

func TestInstallRefusesWhatItWouldBreak(t *testing.T) {
	p := &Python{Path: "python", Packages: t.TempDir(), Selfsame: "0.1.0", Develop: true}
	info := filepath.Join(p.Packages, "geo-1.0.dist-info")
	testenv.OK(t, os.Mkdir(info, 0o755))
	testenv.OK(t, os.WriteFile(filepath.Join(info, "INSTALLER"), []byte("pip\n"), 0o644))
	if err := p.Install(wheel.Metadata{Name: "geo", Version: "1.0"}, "geo", "/src", "/src/geo.json"); err == nil || !strings.Contains(err.Error(), "python -m pip uninstall geo") {
		t.Errorf("a package that pip installed: got error %v", err)
	}
	without := &Python{Path: "python", Packages: t.TempDir()}
	if err := without.Accepts("geo"); err == nil || !strings.Contains(err.Error(), "python -m pip install "+testenv.Root()) {
		t.Errorf("a Python without selfsame-ffi: got error %v", err)
	}
}

func TestAskTellsAboutAnInterpreter(t *testing.T) {
	program := filepath.Join(t.TempDir(), "python")
	answer := `{"version": "3.11.7", "packages": "/x/site-packages", "selfsame": "0.1.0", "develop": true}`
	testenv.OK(t, os.WriteFile(program, []byte("#!/bin/sh\necho '"+answer+"'\n"), 0o755))
	got, err := Ask(t.Context(), program)
	want := Python{Path: program, Version: "3.11.7", Packages: "/x/site-packages", Selfsame: "0.1.0", Develop: true}
	if err != nil || *got != want {
		t.Errorf("got %+v, error %v", got, err)
	}
	testenv.OK(t, os.WriteFile(program, []byte("#!/bin/sh\necho no\n"), 0o755))
	if _, err := Ask(t.Context(), program); err == nil || !strings.Contains(err.Error(), `answered "no\n"`) {
		t.Errorf("another program: got error %v", err)
	}
}
