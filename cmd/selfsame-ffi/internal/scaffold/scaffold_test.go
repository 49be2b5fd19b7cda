package scaffold

// Requirement: G1

import (
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestWriteMakesAProject(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shop")
	testenv.OK(t, Write(dir, Project{Name: "shop", Module: "example.org/shop", Release: "0.1.0", Replace: "/src/selfsame"}))
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		names = append(names, filepath.ToSlash(name))
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(text), "<<") || strings.Contains(string(text), ">>\n") {
			t.Errorf("%s has a mark that was not filled in:\n%s", name, text)
		}
		if filepath.Ext(name) == ".go" {
			formatted, err := format.Source(text)
			if err != nil || string(formatted) != string(text) {
				t.Errorf("%s is not as gofmt writes it, error %v", name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".github/workflows/test.yml", ".gitignore", "README.md", "VERSION", "go.mod", "pyproject.toml", "shop.go", "shop_test.go", "tests/test_shop.py"}
	if !slices.Equal(names, want) {
		t.Errorf("wrote %q, want %q", names, want)
	}
	text := testenv.Value(os.ReadFile(filepath.Join(dir, "go.mod")))(t)
	testenv.Contains(t, string(text), "module example.org/shop\n", "selfsame v0.1.0\n", "selfsame => /src/selfsame\n")
	if err := Write(dir, Project{Name: "shop"}); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a second time: got error %v", err)
	}
}

// A wrapped package may have the name lambda_, and no distribution has one.
func TestDistributionOfAPackageHasANameThatPipTakes(t *testing.T) {
	w := Wrapped{Project: Project{Name: "lambda_", Release: "0.1.0"}, Path: "example.com/lambda"}
	files := testenv.Value(w.Files())(t)
	testenv.Contains(t, string(files["pyproject.toml"]), "name = \"lambda\"\n")
	testenv.Contains(t, string(files["README.md"]), "import lambda_\n")
}

func TestWrappedPackageGetsAnExampleAndATestForEachClass(t *testing.T) {
	w := Wrapped{Project: Project{Name: "bank", Release: "0.1.0", Dist: "go-bank"}, Path: "example.com/bank", Again: "example.com/bank@VERSION",
		Example: &Example{"account", "Account"}, Functions: []string{"limit"},
		Classes: []Class{{"Account", true, []string{"add"}}, {"Rules", false, nil}, {"Wide", false, slices.Repeat([]string{"member"}, 30)}}}
	files := testenv.Value(w.Files())(t)
	for file, want := range map[string][]string{
		"README.md":                  {"import bank\n\naccount = bank.Account()\nprint(account)\n```\n", "selfsame-ffi wrap example.com/bank@VERSION --dir ."},
		"pyproject.toml":             {"name = \"go-bank\"\ndynamic = [\"version\", \"dependencies\"]\n"},
		".github/workflows/test.yml": {"selfsame-ffi build --wheel --target all ."},
		"tests/test_bank.py": {"def test_Account():\n    assert isinstance(bank.Account(), bank.Account)\n    assert {\"add\"} <= set(dir(bank.Account))\n\n\n",
			"def test_Rules():\n    assert isinstance(bank.Rules, type)\n\n\n", "    assert {\n        \"member\", ", "\n    } <= set(dir(bank.Wide))\n",
			"def test_functions():\n    assert {\"limit\"} <= set(bank.__all__)\n"},
	} {
		testenv.Contains(t, string(files[file]), want...)
		if strings.Contains(string(files[file]), "<<") {
			t.Errorf("%s has a mark that was not filled in:\n%s", file, files[file])
		}
	}
	for line := range strings.Lines(string(files["tests/test_bank.py"])) {
		if len(line) > 121 {
			t.Errorf("the line is long: %s", line)
		}
	}
}
