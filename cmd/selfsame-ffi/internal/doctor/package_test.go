package doctor

// Requirement: G4

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// A built package says which Python package serves it, in its folder and in a wheel.
func TestPythonPackageOfALibraryIsExamined(t *testing.T) {
	extension := compile(t, "_shop.so", `__attribute__((visibility("default"))) int SelfsameExtensionInit(void) { return 0; }`)
	const newer = `_ffi.load_extension(_os.path.join(_os.path.dirname(_os.path.abspath(__file__)), "_shop.so"), requires="0.10.0")` + "\n"
	const stock = "try:\n    import tvm_ffi as _ffi\n"
	without, with := python(t, "{}"), filepath.Join(t.TempDir(), "python")
	testenv.OK(t, os.WriteFile(without, []byte("#!/bin/sh\necho \"No module named 'tvm_ffi'\" >&2\nexit 1\n"), 0o755))
	testenv.OK(t, os.WriteFile(with, []byte("#!/bin/sh\n"), 0o755))
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
	library := testenv.Value(os.ReadFile(extension))(t)
	testenv.OK(t, os.Mkdir(folder, 0o755))
	file := testenv.Value(os.Create(wheel))(t)
	archive := zip.NewWriter(file)
	for name, data := range map[string][]byte{"__init__.py": []byte(module), "_shop.so": library} {
		testenv.OK(t, os.WriteFile(filepath.Join(folder, name), data, 0o600))
		entry := testenv.Value(archive.Create("shop/" + name))(t)
		testenv.Value(entry.Write(data))(t)
	}
	testenv.OK(t, archive.Close())
	testenv.OK(t, file.Close())
}
