package adapters

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// A func type whose parts have other names in a func's body has an adapter; one with a type of the body alone has none.
//
// Requirement: D10
func TestAliasesOfABodyAreNamedByTheirTypes(t *testing.T) {
	folder := testenv.Value(filepath.Abs(filepath.Join("testdata", "aliases")))(t)
	p := &gosource.Package{Dir: folder, ImportPath: "aliases", Name: "aliases", GoFiles: []string{"aliases.go"},
		Imports: []string{gosource.FrontendPath}}
	imported := testenv.Value(Importer(t.Context(), []*gosource.Package{p}, nil, os.Environ(), nil))(t)
	source := string(Source(p, imported))
	testenv.Contains(t, source,
		"selfsame_fn func(selfsame_selfsame_1.LentTensor), ",
		"selfsame_fn func(map[string][]*selfsame_selfsame_1.Tensor, func(selfsame_selfsame_1.LentTensor) whole) []*selfsame_selfsame_1.Tensor, ",
	)
	testenv.Contains(t, source,
		"selfsame_overlay.Binder(func(selfsame_f *selfsame_overlay.Bound) func(selfsame_selfsame_1.LentTensor) whole {\n",
		"return func(selfsame_0 selfsame_selfsame_1.LentTensor) whole { return selfsame_overlay.Must(selfsame_overlay.Call1[whole](selfsame_f, selfsame_0)) }\n",
	)
	if strings.Contains(source, "local") || strings.Count(source, "selfsame_overlay.Adapter(") != 2 {
		t.Errorf("adapters that nothing asked for:\n%s", source)
	}
}
