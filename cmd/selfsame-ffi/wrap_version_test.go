package main

// Requirement: F7

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/apichange"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestVersionFollowsTheGoModuleUntilAPersonWritesOne(t *testing.T) {
	root := checkout(t)
	t.Chdir(t.TempDir())
	writeAll(t, "halves", map[string]string{
		"go.mod":    "module example.test/halves\n\ngo 1.24.0\n",
		"halves.go": "package halves\n\n// Half is half of n.\nfunc Half(n int) int { return n / 2 }\n",
	})
	version := func(ofModule string) string {
		t.Helper()
		writeAll(t, "halves", map[string]string{"VERSION": ofModule})
		ran(t, "wrap", "./halves", "--dir", "wrapped", "--write-only", "--replace", root)
		text := testenv.Value(os.ReadFile(filepath.Join("wrapped", "VERSION")))(t)
		return strings.TrimSpace(string(text))
	}
	if first, second := version("v1.2.0\n"), version("v1.3.0\n"); first != "1.2.0" || second != "1.3.0" {
		t.Errorf("got %s and %s, want 1.2.0 and 1.3.0", first, second)
	}
	writeAll(t, "wrapped", map[string]string{"VERSION": "7.0.0\n"})
	if got := version("v1.4.0\n"); got != "7.0.0" {
		t.Errorf("a person's version became %s", got)
	}
	if _, err := os.Stat(filepath.Join("wrapped", "pyproject.toml")); err != nil {
		t.Error(err)
	}
	mod, err := os.ReadFile(filepath.Join("wrapped", "go.mod"))
	if err != nil || strings.Contains(string(mod), "halves => /") {
		t.Errorf("go.mod has an absolute path, error %v:\n%s", err, mod)
	}
}

func TestChangesOfTheInterfaceAreToldAndKept(t *testing.T) {
	var o wrapOptions
	o.Dir = t.TempDir()
	writeAll(t, o.Dir, map[string]string{"VERSION": "1.2.0\n"})
	tell := func(text string) string {
		t.Helper()
		in, log := apichange.Interface{}, new(strings.Builder)
		in.Parse(text)
		testenv.OK(t, o.compare(in, log))
		return log.String()
	}
	if told := tell("def half(n: int) -> int:\n"); told != "" {
		t.Errorf("the first run told %q", told)
	}
	told := tell("def half(n: int, by: int) -> int:\ndef third(n: int) -> int:\n")
	testenv.Contains(t, told,
		"What changes for users since 1.2.0:\n  breaking: half: the new parameter by is required\n  additive: third: a new function\n",
		"That asks for version 2.0.0 or later, and "+filepath.Join(o.Dir, "VERSION")+" says 1.2.0",
	)
	if text, err := os.ReadFile(filepath.Join(o.Dir, "CHANGELOG.md")); err != nil || !strings.Contains(string(text), "## 2.0.0\n\n- breaking: half") {
		t.Errorf("got %q, error %v", text, err)
	}
	if told := tell("def half(n: int, by: int) -> int:\ndef third(n: int) -> int:\n"); told != "" {
		t.Errorf("the same interface told %q", told)
	}
	told = tell("def half(n: int, by: int) -> int:\n    \"\"\"Halves n.\"\"\"\ndef third(n: int) -> int:\n")
	testenv.Contains(t, told, "documentation: half", "That asks for version 1.2.1 or later", "or pip takes it for the one that users have.")
}

func TestChangesOfAGreatVersionAreToldInPart(t *testing.T) {
	var o wrapOptions
	o.Dir = t.TempDir()
	writeAll(t, o.Dir, map[string]string{"VERSION": "1.2.0\n"})
	log := new(strings.Builder)
	for _, count := range []int{0, wrap.MostNames + 5} {
		in := apichange.Interface{"half": {Kind: "function"}}
		for i := range count {
			in[fmt.Sprint("third", i)] = &apichange.Entry{Kind: "function"}
		}
		if err := o.compare(in, log); err != nil {
			t.Fatal(err)
		}
	}
	if told := log.String(); strings.Count(told, ": a new function\n") != wrap.MostNames || !strings.Contains(told, "  additive: 5 more, which CHANGELOG.md has\n") {
		t.Errorf("got %s", told)
	}
	if text, err := os.ReadFile(filepath.Join(o.Dir, "CHANGELOG.md")); strings.Count(string(text), "a new function") != wrap.MostNames+5 {
		t.Errorf("got %s, error %v", text, err)
	}
}

func TestNamesThatChangedAreKeptByADirective(t *testing.T) {
	library := func(class, method, function string) map[string]string {
		return map[string]string{"go.mod": "module example.test/bank\n\ngo 1.24.0\n", "bank.go": strings.NewReplacer(
			"CLASS", class, "METHOD", method, "FUNC", function).Replace(`// Package bank has accounts.
package bank

// CLASS has an amount.
type CLASS struct{ cents int }

// METHOD adds cents.
func (c *CLASS) METHOD(cents int) { c.cents += cents }

// FUNC returns the limit of all.
func FUNC() int { return 7 }
`)}
	}
	built := `{"version": "1.0.0", "names": {"Account": {"kind": "class"}, "Account.add": {"kind": "method", "params": [{"name": "cents"}]},
		"limit": {"kind": "function", "doc": "Returns the limit of all."}}}`
	for _, test := range []struct {
		now                   map[string]string
		directive, file, want string
	}{
		{library("Account", "Deposit", "Limit"), "//wrap:alias Account.Deposit add", "account_class.go", "Deprecated: it is called deposit now."},
		{library("Account", "Add", "Bound"), "//wrap:alias Bound limit", "functions.go", "Deprecated: it is called bound now."},
		{library("Balance", "Add", "Limit"), "//wrap:alias Balance Account", "python/_constants.py", "Account = Balance"},
	} {
		dir := filepath.Join(t.TempDir(), "bank")
		if output, err := wrapFiles(t, dir, library("Account", "Add", "Limit")); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		writeAll(t, dir, map[string]string{"interface.json": built})
		output, err := wrapFiles(t, dir, test.now)
		if err == nil || !strings.Contains(output, "To keep the old name, write into overrides.go: "+test.directive+"\n") {
			t.Errorf("%s is not proposed, error %v:\n%s", test.directive, err, output)
		}
		writeAll(t, dir, map[string]string{"overrides.go": "package bank\n\n" + test.directive + "\n"})
		if output, err = wrapFiles(t, dir, test.now); err != nil {
			t.Fatalf("%s: %v\n%s", test.directive, err, output)
		}
		if text := readText(t, dir, test.file); !strings.Contains(text, test.want) {
			t.Errorf("%s: %s lacks %q:\n%s", test.directive, test.file, test.want, text)
		}
		if output, err := wrapFiles(t, dir, library("Deposit", "Put", "Most")); err == nil || !strings.Contains(err.Error(), "nothing of that name is bound") {
			t.Errorf("%s of what is not there: %v\n%s", test.directive, err, output)
		}
	}
}

func TestPathWithoutAHostSaysWhatIsExpected(t *testing.T) {
	t.Chdir(t.TempDir())
	_, err := selfsame(t, "wrap", "roaring/v2")
	if err == nil || !strings.Contains(err.Error(), "expected an import path that begins with a host, as in github.com/roaring/v2") {
		t.Errorf("got %v", err)
	}
	if left := files(t, "."); len(left) > 0 {
		t.Errorf("it wrote %q", left)
	}
}
