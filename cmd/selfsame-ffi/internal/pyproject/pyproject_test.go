package pyproject

// Requirement: F7

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

const buildSystem = "[build-system]\nrequires = [\"selfsame-ffi\"]\nbuild-backend = \"selfsame_ffi.build\"\n"

// write writes a pyproject.toml of this backend into a folder.
func write(t *testing.T, dir, text string) {
	t.Helper()
	testenv.OK(t, os.WriteFile(filepath.Join(dir, Name), []byte(buildSystem+text), 0o600))
}

func TestMetadataIsThatOfTheProjectTable(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, `
[project]
name = "The.Shop"
version = "1.2"
description = "Sells things."
readme = "about.rst"
requires-python = ">=3.10"
license = "MIT OR Apache-2.0"
license-files = ["texts/*"]
authors = [{name = "Ada", email = "ada@example.org"}, {name = "Grace"}]
keywords = ["shop", "go"]
classifiers = ["Typing :: Typed"]
dependencies = ["numpy>=2; python_version > '3.9'"]
optional-dependencies = {plot = ["matplotlib; os_name == 'posix'", "seaborn"]}
urls = {Source = "https://example.org/shop"}
scripts = {shop = "shop:main"}
entry-points = {things = {one = "shop:one"}}
`)
	testenv.OK(t, os.Mkdir(filepath.Join(dir, "texts"), 0o700))
	for name, text := range map[string]string{"about.rst": "Shop\n====\n", "texts/MIT": "free\n"} {
		testenv.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	f := testenv.Value(Read(dir))(t)
	m := wheel.Metadata{Name: "shop", Version: "1.2", Summary: "of Go", License: []byte("other"), Requires: []string{"selfsame-ffi>=0.2.0"}}
	testenv.OK(t, f.Fill(&m))
	text := string(m.Text())
	testenv.Contains(t, text,
		"Name: The.Shop\n", "Summary: Sells things.\n", "Requires-Python: >=3.10\n", "License-Expression: MIT OR Apache-2.0\n",
		"License-File: texts/MIT\n", "Author: Grace\n", "Author-email: Ada <ada@example.org>\n", "Keywords: shop,go\n",
		"Classifier: Typing :: Typed\n", "Requires-Dist: selfsame-ffi>=0.2.0\n", "Requires-Dist: numpy>=2; python_version > '3.9'\n",
		"Provides-Extra: plot\n", "Requires-Dist: matplotlib; (os_name == 'posix') and extra == \"plot\"\n",
		"Requires-Dist: seaborn; extra == \"plot\"\n", "Project-URL: Source, https://example.org/shop\n",
		"Description-Content-Type: text/x-rst\n\nShop\n====\n",
	)
	if strings.Contains(text, "License-File: LICENSE") {
		t.Error("the file LICENSE is named, which license-files leaves out")
	}
	if want := "[console_scripts]\nshop = shop:main\n\n[things]\none = shop:one\n\n"; m.EntryPoints != want {
		t.Errorf("entry points are %q, want %q", m.EntryPoints, want)
	}
}

func TestRequirementOfTheUserReplacesThatOfTheBuild(t *testing.T) {
	got := requirements([]string{"selfsame-ffi>=0.2.0"}, []string{"Selfsame_FFI==0.3", "numpy"})
	if want := []string{"Selfsame_FFI==0.3", "numpy"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFaultsNameTheKey(t *testing.T) {
	for text, want := range map[string]string{
		"[project]\nversion = \"1\"\n":                                           "project.name is missing",
		"[project]\nname = \"a\"\n":                                              "project.version is missing",
		"[project]\nname = \"a b\"\nversion = \"1\"\n":                           `project.name: expected letters, digits, '-', '_' and '.', got "a b"`,
		"[project]\nname = \"a\"\nversion = \"1\"\ndynamic = [\"version\"]\n":    "leave one out",
		"[project]\nname = \"a\"\nversion = \"1\"\ndynamic = [\"scripts\"]\n":    `got "scripts"`,
		"[project]\nname = \"a\"\nversion = \"1\"\nlicence = \"MIT\"\n":          "the key project.licence is unknown",
		"[project]\nname = \"a\"\nversion = \"1\"\n[tool.selfsame]\ntag = 1\n":   "the key tool.selfsame.tag is unknown",
		"[project]\nname = \"a\"\nversion = \"1\"\n[tool.selfsame]\nbundle = 1":  "expected true or a folder, got 1",
		"[project]\nname = 1\n":                                                  "project.name",
		"[project]\nname = \"a\"\nversion = \"1\"\ntool.selfsame.packages = [\"": "line",
	} {
		dir := t.TempDir()
		write(t, dir, text)
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
	dir := t.TempDir()
	write(t, dir, "[project]\nname = \"a\"\nversion = \"1\"\n[tool.selfsame]\npackages = [\"../b\"]\n")
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), `expected folders below that of pyproject.toml, got "../b"`) {
		t.Errorf("got %v", err)
	}
}

func TestFileIsFoundForThePackagesThatItLists(t *testing.T) {
	root := t.TempDir()
	write(t, root, "[project]\nname = \"a\"\nversion = \"1\"\n[tool.selfsame]\npackages = [\"geo\"]\n")
	for _, dir := range []string{"geo", "other"} {
		testenv.OK(t, os.Mkdir(filepath.Join(root, dir), 0o700))
	}
	for dir, want := range map[string]bool{"": true, "geo": true, "other": false} {
		if f, err := Find(filepath.Join(root, dir)); err != nil || (f != nil) != want {
			t.Errorf("%q: found %v, error %v", dir, f, err)
		}
	}
	if f, err := Find(t.TempDir()); err != nil || f != nil {
		t.Errorf("without a file: found %v, error %v", f, err)
	}
}

func TestFilesOfOtherBackendsAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	text := "[build-system]\nbuild-backend = \"hatchling.build\"\n[project]\nname = 1\n"
	testenv.OK(t, os.WriteFile(filepath.Join(dir, Name), []byte(strings.Replace(text, "name = 1", "name = \"x\"", 1)), 0o600))
	if f, err := Read(dir); err != nil || f != nil {
		t.Errorf("got %v, error %v", f, err)
	}
}
