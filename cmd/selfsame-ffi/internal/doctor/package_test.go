package doctor

// Requirement: G4

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"
)

// A built package says which Python package serves it, in its folder and in a wheel.
func TestPythonPackageOfALibraryIsExamined(t *testing.T) {
	extension := compile(t, "_shop.so", `__attribute__((visibility("default"))) int SelfsameExtensionInit(void) { return 0; }`)
	const newer = `_ffi.load_extension(_os.path.join(_os.path.dirname(_os.path.abspath(__file__)), "_shop.so"), requires="0.10.0")` + "\n"
	const stock = "try:\n    import tvm_ffi as _ffi\n"
	without, with := python(t, "{}"), filepath.Join(t.TempDir(), "python")
	if err := os.WriteFile(without, []byte("#!/bin/sh\necho \"No module named 'tvm_ffi'\" >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(with, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	const check = "library's Python package"
	for _, c := range []struct {
		module, python, version string
		check                   string
		status                  Status
		found, mend             string
	}{
		{newer, with, "0.9.1", check, Problem, "it needs selfsame-ffi 0.10.0 or later, and this Python has 0.9.1", "'selfsame-ffi>=0.10.0'"},
		{newer, with, "0.10.0", "library", OK, "is an extension that fits", ""},
		{stock, without, "0.9.1", check, Problem, "tvm_ffi, which cannot be imported: No module named 'tvm_ffi'", "pip install apache-tvm-ffi"},
		{stock, with, "0.9.1", "library", OK, "is an extension that fits", ""},
		{stock, "", "0.9.1", "library", OK, "is an extension that fits", ""},
		{"import other\n", without, "0.9.1", "library", OK, "is an extension that fits", ""},
	} {
		folder := filepath.Join(t.TempDir(), "shop")
		wheel := filepath.Join(t.TempDir(), "shop-1.0-py3-none-linux_x86_64.whl")
		pack(t, folder, wheel, extension, c.module)
		for _, subject := range []string{folder, wheel} {
			e := &examination{ctx: t.Context(), Subject: Subject{Library: subject, ABI: "0.1.16", Python: c.python}, runtime: &runtimeInfo{
				Version: c.version, ABI: []int{0, 1, 16}, Library: extension,
			}}
			e.library()
			expect(t, one(t, e.findings, c.check), c.status, c.found, c.mend)
			if len(e.findings) != 1 {
				t.Errorf("%s: %d findings: %+v", subject, len(e.findings), e.findings)
			}
		}
	}
}

// pack writes a built package as a folder and as a wheel.
func pack(t *testing.T, folder, wheel, extension, module string) {
	t.Helper()
	library, err := os.ReadFile(extension)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(wheel)
	if err != nil {
		t.Fatal(err)
	}
	archive := zip.NewWriter(file)
	for name, data := range map[string][]byte{"__init__.py": []byte(module), "_shop.so": library} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		entry, err := archive.Create("shop/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
