package sdist

// Requirement: F7

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// sources writes a module that requires another one of a folder.
func sourcesOf(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "shop")
	for name, text := range map[string]string{
		"shop/pyproject.toml": "", "shop/go.mod": "module example.com/shop\n\ngo 1.24.0\n\nrequire example.com/till v0.0.0\n\n" +
			"replace example.com/till => ../till\n",
		"shop/shop.go":        "package shop\n\nimport _ \"example.com/till\"\n",
		"shop/.hidden":        "no",
		"shop/dist/x.whl":     "no",
		"shop/env/a.py":       "no",
		"shop/env/pyvenv.cfg": "", "shop/PKG-INFO": "old",
		"till/go.mod": "module example.com/till\n\ngo 1.24.0\n", "till/till.go": "package till\n", "till/LICENSE": "free",
		"till/.git": "gitdir: /elsewhere",
	} {
		file := filepath.Join(filepath.Dir(root), name)
		testenv.OK(t, os.MkdirAll(filepath.Dir(file), 0o700))
		testenv.OK(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return root
}

// content returns the files of an archive.
func content(t *testing.T, archive []byte) map[string]string {
	t.Helper()
	unpacked := testenv.Value(gzip.NewReader(bytes.NewReader(archive)))(t)
	files := map[string]string{}
	for in := tar.NewReader(unpacked); ; {
		header, err := in.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		text := testenv.Value(io.ReadAll(in))(t)
		files[header.Name] = string(text)
	}
}

var metadata = wheel.Metadata{Name: "The-Shop", Version: "1.0"}

func names(files map[string]string) []string {
	var all []string
	for name := range files {
		all = append(all, strings.TrimPrefix(name, "the_shop-1.0/"))
	}
	slices.Sort(all)
	return all
}

func TestModulesAreInTheDistributionAndWhatIsMadeIsNot(t *testing.T) {
	root := sourcesOf(t)
	made := testenv.Value(Bytes(t.Context(), root, []string{root}, metadata))(t)
	files := content(t, made)
	want := []string{
		"PKG-INFO", "go.mod", "pyproject.toml", "shop.go", "vendor/example.com/till/LICENSE", "vendor/example.com/till/till.go",
		"vendor/modules.txt",
	}
	if got := names(files); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if info := files["the_shop-1.0/PKG-INFO"]; !strings.Contains(info, "Name: The-Shop\nVersion: 1.0\n") {
		t.Errorf("PKG-INFO is %q", info)
	}
	if _, err := os.Stat(filepath.Join(root, "vendor")); err == nil {
		t.Error("the folder vendor was made in the sources")
	}
	again, err := Bytes(t.Context(), root, []string{root}, metadata)
	if err != nil || !bytes.Equal(again, made) {
		t.Errorf("a second one has other bytes, error %v", err)
	}
}

func TestDistributionHasWhatGitWouldTrack(t *testing.T) {
	root := sourcesOf(t)
	if out, err := exec.Command("git", "-C", root, "init", "-q").CombinedOutput(); err != nil {
		t.Skipf("git: %v %s", err, out)
	}
	testenv.OK(t, os.WriteFile(filepath.Join(root, ".gitignore"), []byte("/env\n"), 0o600))
	made := testenv.Value(Bytes(t.Context(), root, []string{root}, metadata))(t)
	got := names(content(t, made))
	if !slices.Contains(got, ".hidden") || slices.Contains(got, "dist/x.whl") || !slices.Contains(got, "shop.go") {
		t.Errorf("got %q", got)
	}
}

func TestModuleOutsideOfTheFolderIsRefused(t *testing.T) {
	root := sourcesOf(t)
	if _, err := Bytes(t.Context(), root, []string{filepath.Dir(root)}, metadata); err == nil || !strings.Contains(err.Error(), "put pyproject.toml beside go.mod") {
		t.Errorf("got %v", err)
	}
}
