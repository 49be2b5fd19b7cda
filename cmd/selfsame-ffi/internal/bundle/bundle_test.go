package bundle

// Requirement: F7

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

const (
	linuxCore   = "selfsame_ffi/_core.cpython-3%s-x86_64-linux-gnu.so"
	windowsCore = "selfsame_ffi/_core.cp313-win_amd64.pyd"
)

// pack writes a wheel of selfsame-ffi with a core and what all have.
func pack(t *testing.T, folder, name string, files map[string]string) {
	t.Helper()
	out := testenv.Value(os.Create(filepath.Join(folder, name)))(t)
	defer out.Close()
	archive := zip.NewWriter(out)
	all := map[string]string{
		"selfsame_ffi/__init__.py": "", "selfsame_ffi/lib/libtvm_ffi.so": "runtime", "selfsame_ffi/lib/libselfsame.so": "filter",
		"selfsame_ffi/bin/selfsame-ffi": "tool", "selfsame_ffi/include/x.h": "", "selfsame_ffi-1.0.0.dist-info/METADATA": "",
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		f, err := archive.Create(name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	testenv.OK(t, archive.Close())
}

func coreFor(python string) map[string]string {
	return map[string]string{strings.Replace(linuxCore, "%s", python, 1): "core"}
}

func wheels(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for name, files := range map[string]map[string]string{
		"selfsame_ffi-1.0.0-cp312-cp312-manylinux_2_28_x86_64.whl":   coreFor("12"),
		"selfsame_ffi-1.10.0-cp311-cp311-manylinux_2_28_x86_64.whl":  coreFor("11"),
		"selfsame_ffi-1.10.0-cp39-cp39-manylinux_2_28_x86_64.whl":    coreFor("9"),
		"selfsame_ffi-1.10.0-cp314-cp314t-manylinux_2_28_x86_64.whl": coreFor("14t"),
		"selfsame_ffi-1.10.0-cp313-cp313-manylinux_2_35_x86_64.whl":  coreFor("13"),
		"selfsame_ffi-1.10.0-cp315-cp315-linux_aarch64.whl":          coreFor("15"),
		"selfsame_ffi-1.10.0-cp313-cp313-win_amd64.whl":              {windowsCore: "core", "selfsame_ffi/lib/tvm_ffi.dll": "runtime"},
	} {
		pack(t, folder, name, files)
	}
	return folder
}

func TestNewestWheelsForThePlatformAreTaken(t *testing.T) {
	folder := wheels(t)
	for platform, want := range map[string]string{
		"manylinux_2_34_x86_64": "3.9 3.11 3.14t", "manylinux_2_35_x86_64": "3.9 3.11 3.13 3.14t", "win_amd64": "3.13",
		"manylinux_2_28_aarch64": "3.15",
	} {
		b := testenv.Value(FromWheels(folder, platform, nil))(t)
		if got := strings.Join(b.Pythons(), " "); got != want || b.Version != "1.10.0" {
			t.Errorf("%s: got Pythons %s of version %s, want %s", platform, got, b.Version, want)
		}
	}
	b, err := FromWheels(folder, "manylinux_2_28_x86_64", []string{"3.11"})
	if err != nil || !slices.Equal(b.Pythons(), []string{"3.11"}) || b.Serves() != (wheel.Pythons{Oldest: 11, Newest: 11}) {
		t.Errorf("got %v, error %v", b, err)
	}
}

func TestWheelsThatAreMissingAreNamed(t *testing.T) {
	folder := wheels(t)
	for _, test := range []struct{ folder, platform, python, want string }{
		{folder, "musllinux_1_2_x86_64", "", "has no wheel of selfsame-ffi for musllinux_1_2_x86_64; it has selfsame_ffi-1.0.0-cp312"},
		{folder, "manylinux_2_28_x86_64", "3.8", "for manylinux_2_28_x86_64 and Python 3.8"},
		{t.TempDir(), "win_amd64", "", "none at all"},
	} {
		var pythons []string
		if test.python != "" {
			pythons = []string{test.python}
		}
		if _, err := FromWheels(test.folder, test.platform, pythons); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
	_, err := FromWheels(folder, "manylinux_2_28_x86_64", []string{"3.11", "3.12"})
	if err == nil || !strings.Contains(err.Error(), "no wheel of selfsame-ffi 1.10.0 for manylinux_2_28_x86_64 and Python 3.12") {
		t.Errorf("got %v", err)
	}
}

func TestOnlyWhatAnImportNeedsIsBundled(t *testing.T) {
	b := testenv.Value(FromWheels(wheels(t), "manylinux_2_28_x86_64", []string{"3.11"}))(t)
	var got []string
	for _, f := range b.Files("The-Shop") {
		got = append(got, f.Path)
	}
	slices.Sort(got)
	want := []string{
		"__selfsame_bundle__.the_shop.pth", "selfsame_ffi_bundles/the_shop/VERSION", "selfsame_ffi_bundles/the_shop/finder.py",
		"selfsame_ffi_bundles/the_shop/selfsame_ffi/__init__.py",
		"selfsame_ffi_bundles/the_shop/selfsame_ffi/_core.cpython-311-x86_64-linux-gnu.so",
		"selfsame_ffi_bundles/the_shop/selfsame_ffi/lib/libtvm_ffi.so",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// site makes a folder for sys.path in which distributions bring versions of selfsame-ffi along.
func site(t *testing.T, bundles map[string]string, suffix string) string {
	t.Helper()
	folder := t.TempDir()
	for dist, version := range bundles {
		own := filepath.Join(folder, Folder, dist)
		testenv.OK(t, os.MkdirAll(filepath.Join(own, "selfsame_ffi"), 0o700))
		for name, text := range map[string]string{
			"VERSION": version + "\n", "finder.py": string(finder), "selfsame_ffi/__init__.py": "__version__ = \"" + version + "\"\n",
			"selfsame_ffi/_core" + suffix: "",
		} {
			testenv.OK(t, os.WriteFile(filepath.Join(own, name), []byte(text), 0o600))
		}
	}
	return folder
}

// python runs a program with a folder in sys.path.
func python(t *testing.T, folder, program string) string {
	t.Helper()
	cmd := exec.Command("python3", "-c", program)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+folder, "PYTHONNOUSERSITE=1")
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Skipf("python3: %v", err)
	}
	return strings.TrimSpace(string(out))
}

const ask = "import sys\nfrom importlib import import_module\n" +
	"def serve(dist, requires): import_module('selfsame_ffi_bundles.' + dist + '.finder').serve(dist, requires)\n"

func suffixHere(t *testing.T) string {
	return python(t, t.TempDir(), "import importlib.machinery as m; print(m.EXTENSION_SUFFIXES[0])")
}

func TestNewestOfSeveralServesAll(t *testing.T) {
	folder := site(t, map[string]string{"a": "1.9.0", "b": "1.10.0", "c": "1.2.0"}, suffixHere(t))
	program := ask + "serve('a', '1.9.0'); import selfsame_ffi as s; serve('b', '1.10.0'); serve('c', '1.2.0'); print(s.__version__, s.__file__)"
	want := "1.10.0 " + filepath.Join(folder, Folder, "b", "selfsame_ffi", "__init__.py")
	if got := python(t, folder, program); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestVersionsThatCannotShareAProcessAreBothNamed(t *testing.T) {
	folder := site(t, map[string]string{"a": "1.9.0", "b": "2.0.0"}, suffixHere(t))
	got := python(t, folder, ask+"serve('b', '2.0.0'); import selfsame_ffi; serve('a', '1.9.0')")
	testenv.Contains(t, got,
		"ImportError: a needs selfsame-ffi 1.9.0 or a later 1.x, which it brings along in "+filepath.Join(folder, Folder, "a"),
		"this process has selfsame-ffi 2.0.0 of "+filepath.Join(folder, Folder, "b", "selfsame_ffi"),
	)
	older := site(t, map[string]string{"b": "1.9.0"}, suffixHere(t))
	if got := python(t, older, ask+"serve('b', '1.9.0'); import selfsame_ffi; serve('b', '1.10.0')"); !strings.Contains(got, "b needs selfsame-ffi 1.10.0") {
		t.Errorf("got %s", got)
	}
}

func TestBundleForOtherPythonsSaysForWhich(t *testing.T) {
	folder := site(t, map[string]string{"a": "1.9.0"}, ".cpython-32-x86_64-linux-gnu.so")
	got := python(t, folder, ask+"serve('a', '1.9.0')")
	if want := "a brings selfsame-ffi along for other Pythons than this one (_core.cpython-32-x86_64-linux-gnu.so; this one takes"; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRuntimeIsFoundBeforeThePackageIsImported(t *testing.T) {
	folder := site(t, map[string]string{"a": "1.9.0"}, suffixHere(t))
	b := Bundle{Version: "1.9.0"}
	for _, f := range b.Files("a") {
		if strings.HasSuffix(f.Path, ".pth") {
			testenv.OK(t, os.WriteFile(filepath.Join(folder, f.Path), f.Content, 0o600))
		}
	}
	if got := python(t, folder, "import site, sys; site.addsitedir(sys.path[1]); import selfsame_ffi; print(selfsame_ffi.__version__)"); got != "1.9.0" {
		t.Errorf("got %s", got)
	}
}
