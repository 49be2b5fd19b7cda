package layers

import (
	"maps"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

const module = "github.com/selfsame-ffi/selfsame"

// listed returns what the go command says of the packages of this module, with the build tags.
func listed(t *testing.T, format string, tags ...string) []string {
	t.Helper()
	return listedBelow(t, []string{"./..."}, format, tags...)
}

func listedBelow(t *testing.T, patterns []string, format string, tags ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-tags", strings.Join(tags, ","), "-f", format}, patterns...)...)
	cmd.Dir = testenv.Root()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// below returns the path of a package below the module; ok is false for packages of others.
func below(importPath string) (at string, ok bool) {
	if importPath == module {
		return "", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// isTool says whether a package is a program, a fixture or an example, which nothing of the product imports.
func isTool(at string) bool {
	first, _, _ := strings.Cut(at, "/")
	return slices.Contains([]string{"cmd", "bench", "scripts", "conformance", "examples", "python"}, first)
}

func importsOf(t *testing.T, tags ...string) map[string][]string {
	imports := map[string][]string{}
	for _, line := range listed(t, `{{.ImportPath}} {{join .Imports " "}}`, tags...) {
		fields := strings.Fields(line)
		importer, _ := below(fields[0])
		if isTool(importer) || strings.Contains(importer, "testenv/") {
			continue
		}
		imports[importer] = nil
		for _, imported := range fields[1:] {
			if at, ok := below(imported); ok {
				imports[importer] = append(imports[importer], at)
			}
		}
	}
	return imports
}

// Each package imports packages of lower layers only, with and without the runtime linked in.
func TestImportsRunDownward(t *testing.T) {
	for _, tags := range [][]string{nil, {"selfsame_shared"}, {"debug"}} {
		for _, wrong := range Upward(importsOf(t, tags...)) {
			t.Errorf("tags %v: %s", tags, wrong)
		}
	}
}

// An upward use, and a package that no layer lists, are found.
func TestUpwardUsesAreFound(t *testing.T) {
	planted := map[string][]string{
		"internal/engine/convert": {"internal/engine/values", "internal/engine/call"},
		"internal/engine/call":    {"internal/engine/containers"},
		"internal/unknown":        nil,
	}
	want := []string{
		"internal/engine/call -> internal/engine/containers",
		"internal/engine/convert -> internal/engine/call",
		"internal/unknown: no layer lists it",
	}
	if got := slices.Sorted(slices.Values(Upward(planted))); !slices.Equal(got, want) {
		t.Errorf("expected %q, got %q", want, got)
	}
}

// Other modules can import the public package and the layouts only. abi needs no C compiler.
func TestPublicPackagesAreTheDeclaredOnes(t *testing.T) {
	found := map[string]bool{}
	for _, line := range listed(t, `{{.ImportPath}} {{.Name}} {{len .CgoFiles}}`) {
		fields := strings.Fields(line)
		at, _ := below(fields[0])
		if fields[1] == "main" || isTool(at) || slices.Contains(strings.Split(at, "/"), "internal") {
			continue
		}
		found[at] = true
		if path.Base(at) == "abi" && fields[2] != "0" {
			t.Errorf("%s uses cgo", at)
		}
	}
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, slices.Sorted(slices.Values(Public))) {
		t.Errorf("expected the public packages %q, got %q", Public, got)
	}
}

// No two packages have one name, so that a name in the sources says where to look.
func TestEachPackageHasANameOfItsOwn(t *testing.T) {
	at := map[string]string{}
	for _, line := range listedBelow(t, []string{"./...", "./cmd/selfsame-ffi/..."}, `{{.Name}} {{.ImportPath}}`) {
		name, importPath, _ := strings.Cut(line, " ")
		below, _ := below(importPath)
		if name == "main" || isTool(below) && !strings.HasPrefix(below, "cmd/") || strings.Contains(below, "/testdata/") {
			continue
		}
		if other, taken := at[name]; taken {
			t.Errorf("%s and %s are both called %s", other, importPath, name)
		}
		at[name] = importPath
	}
}
