package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: G1

// contents reads all files below a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all[path] = readText(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// writeAll writes files below a folder.
func writeAll(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, name)
		testenv.OK(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)))
	}
}

// adder is the Go module of a user, in the folder mylib of the working folder.
var adder = map[string]string{
	"mylib/go.mod": "module example.com/mylib\n\ngo 1.24.0\n",
	"mylib/a.go":   "// Package mylib adds.\npackage mylib\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n",
}

// checkout returns the folder of these sources.
func checkout(t *testing.T) string {
	t.Helper()
	root := testenv.Value(filepath.Abs("../.."))(t)
	return root
}

func TestWrapWritesIntoNoFolderThatItDidNotMake(t *testing.T) {
	root := checkout(t)
	t.Chdir(t.TempDir())
	writeAll(t, ".", adder)
	writeAll(t, ".", map[string]string{
		"urls/go.mod": "module example.com/mine\n\ngo 1.24.0\n", "urls/mine.go": "package mine\n", "text/notes": "mine\n",
		"marked/.selfsame-wrap": "something else\n",
	})
	testenv.OK(t, errors.Join(os.Symlink("mylib", "link"), os.Symlink("urls", "other")))
	before := contents(t, ".")
	for _, c := range []struct{ args, want string }{
		{"./mylib", "the folder mylib is that of the package itself"},
		{"./link --name mylib", "the folder mylib is that of the package itself"},
		{"./mylib --dir link", "the folder link is that of the package itself"},
		{"./mylib --dir .", "the folder . has files and was not made by selfsame-ffi wrap"},
		{"net/url --name urls", "the folder urls has files and was not made by selfsame-ffi wrap"},
		{"net/url --name urls --module example.com/mine", "the folder urls has files and was not made by selfsame-ffi wrap"},
		{"net/url --dir other", "the folder other has files and was not made by selfsame-ffi wrap"},
		{"./mylib --dir text", "the folder text has files and was not made by selfsame-ffi wrap"},
		{"./mylib --dir marked", "the folder marked has files and was not made by selfsame-ffi wrap"},
	} {
		args := append([]string{"wrap", "--write-only", "--replace", root}, strings.Fields(c.args)...)
		_, err := selfsame(t, args...)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "such as --dir ") {
			t.Errorf("wrap %s: %v, want %q", c.args, err, c.want)
		}
	}
	if after := contents(t, "."); !maps.Equal(before, after) {
		t.Errorf("files were changed: %v", after)
	}
}

func TestWrapKnowsItsFolders(t *testing.T) {
	root := checkout(t)
	t.Chdir(t.TempDir())
	writeAll(t, ".", adder)
	testenv.OK(t, os.MkdirAll("out/.git", 0o700))
	again := func(what string) {
		t.Helper()
		if output, err := selfsame(t, "wrap", "--write-only", "--replace", root, "./mylib", "--dir", "out"); err != nil {
			t.Fatalf("%s: %v\n%s", what, err, output)
		}
	}
	again("a folder with a repository alone")
	whole := contents(t, "out")
	again("the same")
	testenv.OK(t, os.Remove("out/"+wrap.MarkerFile))
	again("one of a release without the marker")
	// What a full disk, or a run that was killed, left.
	for _, cut := range []string{"go.mod", "README.md", "VERSION", "functions.go", "overrides.go", "python/_constants.py"} {
		testenv.OK(t, os.WriteFile(filepath.Join("out", cut), nil, 0o600))
	}
	for _, gone := range []string{"a_types.go", "z_report.go", "interface.txt", ".gitignore"} {
		testenv.OK(t, os.Remove(filepath.Join("out", gone)))
	}
	testenv.OK(t, os.WriteFile("out/.go.mod.1.selfsame-unfinished", []byte("modu"), 0o600))
	again("one with cut files")
	if _, there := whole["out/python/_constants.py"]; !there {
		_ = os.Remove("out/python/_constants.py")
	}
	if after := contents(t, "out"); !maps.Equal(whole, after) {
		t.Errorf("got %v\nwant %v", after, whole)
	}
}

func TestWrapKeepsAFileOfThePersonUnderAGeneratedName(t *testing.T) {
	root := checkout(t)
	t.Chdir(t.TempDir())
	writeAll(t, ".", adder)
	args := []string{"wrap", "--write-only", "--replace", root, "./mylib", "--dir", "out"}
	ran(t, args...)
	writeAll(t, "out", map[string]string{"functions.go": "package mylib\n"})
	before := contents(t, "out")
	if _, err := selfsame(t, args...); err == nil || !strings.Contains(err.Error(), "functions.go is yours") {
		t.Errorf("got %v", err)
	}
	if after := contents(t, "out"); !maps.Equal(before, after) {
		t.Errorf("files were changed: %v", after)
	}
}

func TestTwoWrapsInOneFolderExcludeEachOther(t *testing.T) {
	root := checkout(t)
	t.Chdir(t.TempDir())
	writeAll(t, ".", adder)
	args := []string{"wrap", "--write-only", "--replace", root, "./mylib", "--dir", "out"}
	ran(t, args...)
	other := testenv.Value(whole.TryLockFile(filepath.Join("out", wrap.MarkerFile)))(t)
	if _, err := selfsame(t, args...); err == nil || !strings.Contains(err.Error(), "another `selfsame-ffi wrap` is writing into the folder out") {
		t.Errorf("got %v", err)
	}
	other.Close()
	if output, err := selfsame(t, args...); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
