package library

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// small compiles a shared library of few bytes; nil without a C compiler.
func small(f *testing.F) []byte {
	f.Helper()
	out := filepath.Join(f.TempDir(), "x.so")
	cmd := exec.Command("cc", "-shared", "-fPIC", "-nostdlib", "-Os", "-s", "-x", "c", "-", "-o", out,
		"-Wl,-soname,libx.so", "-Wl,-rpath,/opt/a:/opt/b", "-Wl,--build-id=none", "-Wl,-z,max-page-size=16", "-Wl,-z,noseparate-code")
	cmd.Stdin = strings.NewReader(code)
	if text, err := cmd.CombinedOutput(); err != nil {
		f.Logf("no library to begin with: %v\n%s", err, text)
		return nil
	}
	content, err := os.ReadFile(out)
	if err != nil {
		f.Fatal(err)
	}
	return content
}

// wheelOf packs files into a wheel.
func wheelOf(f *testing.F, files map[string][]byte) []byte {
	f.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range files {
		out, err := w.Create(name)
		if err != nil {
			f.Fatal(err)
		}
		if _, err := out.Write(content); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	return b.Bytes()
}

// FuzzLibrary reads files of shared libraries that are cut off or say what is not so: each is described or is an error that
// names the file.
func FuzzLibrary(f *testing.F) {
	content := small(f)
	for _, n := range []int{0, 4, 16, 63, 64, len(content) / 2, len(content) - 1, len(content)} {
		f.Add(content[:min(max(n, 0), len(content))])
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "x.so")
		testenv.OK(t, os.WriteFile(path, content, 0o600))
		lib, err := Open(path)
		if err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("the error does not name the file: %v", err)
		}
		if err == nil && lib.Path != path {
			t.Errorf("got %+v", lib)
		}
		_, _ = Defined(path)
	})
}

// FuzzWheel reads wheels that are cut off or hostile: what is unpacked lies in the working folder, and is no link.
func FuzzWheel(f *testing.F) {
	f.Add(wheelOf(f, map[string][]byte{"geo/_geo.so": []byte("content"), "geo/__init__.py": nil}))
	f.Add(wheelOf(f, map[string][]byte{"../../evil.so": []byte("content")}))
	f.Add(wheelOf(f, map[string][]byte{"/tmp/evil.so": []byte("content")}))
	f.Add(wheelOf(f, map[string][]byte{"a.so": nil, "b.so": nil}))
	f.Add(wheelOf(f, map[string][]byte{".so": nil}))
	f.Add(wheelOf(f, map[string][]byte{"big.so": make([]byte, 1<<16)}))
	f.Fuzz(func(t *testing.T, content []byte) {
		path, work := filepath.Join(t.TempDir(), "x.whl"), t.TempDir()
		testenv.OK(t, os.WriteFile(path, content, 0o600))
		found, err := Find(path, work)
		if err != nil {
			return
		}
		if info, err := os.Lstat(found); filepath.Dir(found) != work || err != nil || !info.Mode().IsRegular() {
			t.Errorf("the library was unpacked as %s, %v", found, err)
		}
	})
}
