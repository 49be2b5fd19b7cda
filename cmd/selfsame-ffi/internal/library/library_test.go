package library

// Requirement: G3

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

const code = `
#include <stdint.h>
#include <stdlib.h>
int TVMFFIFunctionCall(void);
__attribute__((visibility("default"))) const int32_t SelfsameExtensionABI[3] = {1, 2, 33};
__attribute__((visibility("default"))) int SelfsameExtensionInit(void) { return TVMFFIFunctionCall() + atoi("1"); }
`

func compile(t *testing.T, out string) string {
	t.Helper()
	testenv.OK(t, os.MkdirAll(filepath.Dir(out), 0o755))
	cmd := exec.Command("cc", "-shared", "-fPIC", "-x", "c", "-", "-o", out, "-Wl,-soname,libx.so", "-Wl,-rpath,/opt/a:/opt/b")
	cmd.Stdin = strings.NewReader(code)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, text)
	}
	return out
}

func TestFileTellsWhatToolsNeed(t *testing.T) {
	lib := testenv.Value(Open(compile(t, filepath.Join(t.TempDir(), "x.so"))))(t)
	if !lib.Extension || lib.ABI != "1.2.33" || lib.Soname != "libx.so" || !slices.Equal(lib.Runpath, []string{"/opt/a", "/opt/b"}) {
		t.Errorf("got %+v", lib)
	}
	if !slices.Contains(lib.Undefined, "TVMFFIFunctionCall") || !slices.Contains(lib.Needed, "libc.so.6") {
		t.Errorf("it needs %q and the functions %q", lib.Needed, lib.Undefined)
	}
	if !lib.RunsOn("linux", runtime.GOARCH) || lib.RunsOn("linux", "s390x") || lib.RunsOn("windows", runtime.GOARCH) {
		t.Errorf("it is for %s", lib.Machine)
	}
	names, err := Defined(lib.Path)
	if err != nil || !names["SelfsameExtensionInit"] || names["TVMFFIFunctionCall"] {
		t.Errorf("it exports %v, error %v", names, err)
	}
}

func TestLibraryIsFoundInFoldersAndWheels(t *testing.T) {
	root := t.TempDir()
	library := compile(t, filepath.Join(root, "geo", "_geo.so"))
	content := testenv.Value(os.ReadFile(library))(t)
	testenv.OK(t, os.WriteFile(filepath.Join(root, "geo", "other.so"), nil, 0o644))
	archive := testenv.Value(os.Create(filepath.Join(root, "x.whl")))(t)
	w := zip.NewWriter(archive)
	out := testenv.Value(w.Create("geo/_geo.so"))(t)
	testenv.Value(out.Write(content))(t)
	testenv.OK(t, w.Close())
	for _, path := range []string{library, filepath.Join(root, "geo"), filepath.Join(root, "x.whl")} {
		found, err := Find(path, t.TempDir())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if got, err := os.ReadFile(found); err != nil || !slices.Equal(got, content) {
			t.Errorf("%s: found another library, error %v", path, err)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(root, "gone"): "no such file", t.TempDir(): "has no shared library",
	} {
		if _, err := Find(path, t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want one that contains %q", path, err, want)
		}
	}
	if _, err := Open(filepath.Join(root, "x.whl")); err == nil || !strings.Contains(err.Error(), "is no shared library") {
		t.Errorf("a wheel as a library: got error %v", err)
	}
}
