package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirements: D19, I13

// pureWheel writes a wheel with one module, and returns its path.
func pureWheel(t *testing.T, name, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+"-"+version+"-py3-none-any.whl")
	file := testenv.Value(os.Create(path))(t)
	w := zip.NewWriter(file)
	info := name + "-" + version + ".dist-info/"
	for path, text := range map[string]string{
		name + "/__init__.py": "n = 1\n",
		info + "METADATA":     "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n",
		info + "WHEEL":        "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		info + "RECORD":       "",
	} {
		to, err := w.Create(path)
		if err == nil {
			_, err = to.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	testenv.OK(t, w.Close())
	testenv.OK(t, file.Close())
	return path
}

func TestPackWritesAGoPackageWithTheSameBytesEachTime(t *testing.T) {
	t.Setenv("PIP_NO_INDEX", "1")
	own := pureWheel(t, "selfsame_ffi", "0.2.0")
	var archives []string
	for range 2 {
		folder := filepath.Join(t.TempDir(), "pypackages")
		output := testenv.Value(selfsame(t, "pack", own, "-o", folder, "--platform", "linux/arm64"))(t)
		if !strings.Contains(output, "selfsame_ffi 0.2.0") {
			t.Errorf("the output is %q", output)
		}
		archives = append(archives, readText(t, filepath.Join(folder, "packages_linux_arm64.zip")))
		if text := readText(t, filepath.Join(folder, "packages_linux_arm64.go")); !strings.Contains(text, "package pypackages") ||
			!strings.Contains(text, "//go:embed packages_linux_arm64.zip\nvar Zip string") {
			t.Errorf("the package is %s", text)
		}
	}
	if archives[0] != archives[1] {
		t.Error("the archives differ")
	}
	list := testenv.Value(zip.NewReader(strings.NewReader(archives[0]), int64(len(archives[0]))))(t)
	if _, err := list.Open("selfsame_ffi/__init__.py"); err != nil {
		t.Error(err)
	}
}

// A run that is killed, or finds the disk full, leaves the files of the run before whole; and the next one removes what it left.
func TestPackReplacesItsFilesWhole(t *testing.T) {
	t.Setenv("PIP_NO_INDEX", "1")
	folder := filepath.Join(t.TempDir(), "pypackages")
	pack := func(version string) {
		t.Helper()
		testenv.Value(selfsame(t, "pack", pureWheel(t, "selfsame_ffi", version), "-o", folder, "--platform", "linux/arm64"))(t)
	}
	pack("0.2.0")
	const name = "packages_linux_arm64.zip"
	before, old := readText(t, folder, name), filepath.Join(t.TempDir(), "old")
	if err := os.Link(filepath.Join(folder, name), old); err != nil {
		t.Skip(err)
	}
	writeAll(t, folder, map[string]string{"." + name + ".0badcafe" + whole.Unfinished: "cut"})
	pack("0.3.0")
	if readText(t, old) != before || readText(t, folder, name) == before {
		t.Error("the archive was written over in its place")
	}
	if got := files(t, folder); len(got) != 2 {
		t.Errorf("the folder has %q", got)
	}
}

func TestPackRefusals(t *testing.T) {
	t.Setenv("PIP_NO_INDEX", "1")
	for want, args := range map[string][]string{
		"expected linux/amd64, linux/arm64, darwin/amd64 or darwin/arm64, got \"plan9/mips\"": {"--platform", "plan9/mips"},
		"expected a folder whose name is that of a Go package, got \"a-b\"":                   {"-o", "a-b", pureWheel(t, "selfsame_ffi", "0.2.0")},
		"cannot fetch no-such-package, selfsame-ffi==":                                        {"no-such-package"},
	} {
		if _, err := selfsame(t, append([]string{"pack"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("pack %v: %v, not %s", args, err, want)
		}
	}
}
