package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/shown"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// foreignSource is a package whose names Python reads otherwise, and whose comments and constants have what acts.
const foreignSource = `// Package evil has a doc. ` + "\u202egnp.exe\u2066 \x1b[31m" + `
//
//	"""
//	open("canary", "w")
package evil

import "errors"

// Hostile is one. ` + "\u202e */ \"\"\" \\" + `
const Hostile = "\"\"\"\nopen('canary', 'w')\n` + "\u202e\\u3164\u3164" + `"

// None is a number.
const None = 1

/*
Comment has a carriage return.` + "\r" + `open("canary", "w")
*/
const Comment = 2

// Ａdd returns two.
func Ａdd() int { return 2 }

// Add returns one.
func Add() int { return 1 }

// Class has fields that NFKC makes one.
type Class struct{ Ａ, A, Ofﬁce int }

// Ｄo returns two.
func (c *Class) Ｄo() int { return 2 }

// Do returns one.
func (c *Class) Do() int { return 1 }

// ErrＸ is an error.
var ErrＸ = errors.New("x \u202e")

// Print returns its first argument.
func Print(ﬁrst, class int) int { return ﬁrst }
`

// pythonNames prints the names in a module, and fails for one that Python reads otherwise and for a call.
const pythonNames = `
import ast, json, sys, unicodedata
tree = ast.parse(open(sys.argv[1], encoding="utf-8").read())
names = [node.target.id if isinstance(node, ast.AnnAssign) else node.targets[0].id for node in tree.body
         if isinstance(node, (ast.AnnAssign, ast.Assign))]
assert not any(isinstance(node, ast.Call) for node in ast.walk(tree))
print(json.dumps(names))
`

// Requirements: D12, I1
func TestNamesAndCommentsOfAForeignPackageStayText(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "evil")
	if output, err := wrapFiles(t, dir, map[string]string{"go.mod": "module example.com/evil\n\ngo 1.24\n", "evil.go": foreignSource}); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".py") {
			return err
		}
		names = append(names, entry.Name())
		if text := readText(t, path); shown.Text(text) != text {
			t.Errorf("%s has characters that act:\n%q", path, text)
		}
		return nil
	})
	if err != nil || len(names) < 5 {
		t.Fatalf("%v, %v", names, err)
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	out, err := exec.Command("python3", "-c", pythonNames, filepath.Join(dir, "python", "_constants.py")).CombinedOutput()
	var constants []string
	if err == nil {
		err = json.Unmarshal(out, &constants)
	}
	if err != nil || !strings.Contains(strings.Join(constants, " "), "HOSTILE") {
		t.Fatalf("%v\n%s", err, out)
	}
	types := readText(t, dir, "functions.go") + readText(t, dir, "class_class.go")
	testenv.Contains(t, types, `"evil.add"`, `"evil.add_2"`, `"do"`, `"do_2"`, `"office"`, `"first", "class_"`)
}

// A wheel of a local folder is the same wherever the folders are, and names none of them.
//
// Requirement: I14
func TestWheelHasNoFolderOfItsBuilder(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two wheels")
	}
	root := testenv.Value(filepath.Abs("../.."))(t)
	var sums [][32]byte
	for _, place := range []string{"one", "another place/deep"} {
		work := filepath.Join(t.TempDir(), filepath.FromSlash(place))
		source := filepath.Join(work, "mylib")
		testenv.OK(t, os.MkdirAll(source, 0o755))
		for name, text := range map[string]string{
			"go.mod":   "module example.com/mylib\n\ngo 1.24\n",
			"mylib.go": "// Package mylib adds.\npackage mylib\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n",
		} {
			testenv.OK(t, os.WriteFile(filepath.Join(source, name), []byte(text), 0o600))
		}
		ran(t, "wrap", "--replace", root, "--dir", filepath.Join(work, "wrapped"), "--wheel", source)
		wheels, err := filepath.Glob(filepath.Join(work, "wrapped", "dist", "*.whl"))
		if err != nil || len(wheels) != 1 {
			t.Fatalf("%v, %v", wheels, err)
		}
		content := readText(t, wheels[0])
		sums = append(sums, sha256.Sum256([]byte(content)))
		unpacked := filepath.Join(work, "unpacked")
		if out, err := exec.Command("python3", "-m", "zipfile", "-e", wheels[0], unpacked).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		err = filepath.WalkDir(unpacked, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text := []byte(readText(t, path))
			for _, folder := range []string{work, root, os.TempDir() + "/selfsame"} {
				if bytes.Contains(text, []byte(folder)) {
					t.Errorf("%s names the folder %s", path, folder)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if sums[0] != sums[1] {
		t.Error("the wheels of two folders are different")
	}
}
