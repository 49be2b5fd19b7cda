package main

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestPythonFilesGiveTheNamesOfTheirLists(t *testing.T) {
	dir := t.TempDir()
	testenv.OK(t, os.MkdirAll(filepath.Join(dir, "python"), 0o755))
	for name, text := range map[string]string{
		"_extra.py": "from . import Point\n__all__: list[str] = [\n    'far',\n    \"near\",\n]\n# Deprecated: use\n# near.\nfar = Point\n", "_private.py": "x = 1\n", "tools.py": "__all__ = ['y']\n", "notes.txt": "",
	} {
		testenv.OK(t, os.WriteFile(filepath.Join(dir, "python", name), []byte(text), 0o600))
	}
	packages := []*gosource.Package{{Dir: dir}, {Dir: t.TempDir()}}
	files, err := pythonFiles(packages)
	if err != nil || len(files) != 3 {
		t.Fatalf("%v, %v", files, err)
	}
	if got, want := extras(files), []python.Extra{{Module: "_extra", Names: []string{"far", "near"}, Deprecated: map[string]string{"far": "Deprecated: use near."}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	testenv.OK(t, os.WriteFile(filepath.Join(dir, "python", "__init__.py"), nil, 0o600))
	if _, err := pythonFiles(packages); err == nil {
		t.Error("a file in the place of the generated module is accepted")
	}
}

func TestLicencesBesideThePackagesOfAModuleAreFound(t *testing.T) {
	list := "example.com/x\t/m/x\t/m/x/a/b\texample.com/x/a/b\nexample.com/own\t/own\t/own\texample.com/own\n\t\t/go/src/io\n" +
		"example.com/y\t/m/y\t/m/y\texample.com/y\nexample.com/z\t\t/own/vendor/example.com/z/q\texample.com/z/q\n"
	want := map[string]string{
		"example.com/z": "/own/vendor/example.com/z", "example.com/z/q": "/own/vendor/example.com/z/q",
		"example.com/x": "/m/x", "example.com/x/a": "/m/x/a", "example.com/x/a/b": "/m/x/a/b", "example.com/y": "/m/y",
	}
	for name, folder := range want {
		want[name] = filepath.FromSlash(folder)
	}
	if got := licenceFolders(filepath.FromSlash(list), "example.com/own"); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestLicencesOfAModuleAreFound(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"LICENSE", "LICENSE-MIT.txt", "NOTICE", "COPYING", "license.go", "README.md", "PATENTS"} {
		testenv.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
	}
	files := testenv.Value(licencesIn("example.com/x", dir))(t)
	var got []string
	for _, f := range files {
		got = append(got, f.Path)
	}
	const in = "modules/example.com/x/"
	if want := []string{in + "COPYING", in + "LICENSE", in + "LICENSE-MIT.txt", in + "NOTICE", in + "PATENTS"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
