package embedded

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Requirement: D19

// packed returns an archive with one module.
func packed(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	file, err := w.Create("own/module.py")
	if err == nil {
		_, err = file.Write([]byte(text))
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return out.String()
}

// modules are the files of the packages in a folder that was unpacked.
func modules(t *testing.T, folder string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "packages-*", "own", "module.py"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestWhatLiesThereIsCheckedAndUsedAgain(t *testing.T) {
	folder := t.TempDir()
	p := Python{Packages: packed(t, "n = 1\n"), Folder: folder}
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if options, err := p.Unpack(); err != nil || len(options) == 0 {
				t.Errorf("%d options, %v", len(options), err)
			}
		})
	}
	group.Wait()
	libraries, err := filepath.Glob(filepath.Join(folder, "cpython-*", "lib", libraries["linux"]))
	files := modules(t, folder)
	if err != nil || len(libraries) > 1 || len(files) != 1 {
		t.Fatalf("libraries %v, modules %v, %v", libraries, files, err)
	}
	before, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Unpack(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(files[0]); err != nil || after.ModTime() != before.ModTime() {
		t.Errorf("the module was written again, %v", err)
	}
	if err := os.Truncate(files[0], 2); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Unpack(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(files[0]); string(text) != "n = 1\n" {
		t.Errorf("the damaged module has %q, %v", text, err)
	}
	// Other contents of the same size lie beside it.
	p.Packages = packed(t, "n = 2\n")
	if _, err := p.Unpack(); err != nil || len(modules(t, folder)) != 2 {
		t.Errorf("modules %v, %v", modules(t, folder), err)
	}
}

func TestWhatCannotBeUnpackedSaysWhy(t *testing.T) {
	folder := t.TempDir()
	if _, err := (Python{Folder: folder}).Unpack(); err == nil || !strings.Contains(err.Error(), "expected what selfsame-ffi pack wrote, got 0 bytes") {
		t.Errorf("no archive: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	if _, err := (Python{}).Unpack(); err == nil || !strings.Contains(err.Error(), "set XDG_CACHE_HOME, or Folder") {
		t.Errorf("no cache: %v", err)
	}
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Python{Folder: filepath.Join(file, "below")}).Unpack(); err == nil {
		t.Error("a folder below a file was made")
	}
}
