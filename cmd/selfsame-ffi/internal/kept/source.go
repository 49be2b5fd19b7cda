package kept

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// compiled is what the go command says of a package, with the file of what the compiler wrote about it.
type compiled struct {
	ImportPath, Export string
	Deps               []string
}

// readCompiled reads the go command's answer.
func readCompiled(answer io.Reader) (map[string]*compiled, error) {
	found := map[string]*compiled{}
	for dec := json.NewDecoder(answer); ; {
		c := new(compiled)
		if err := dec.Decode(c); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		found[c.ImportPath] = c
	}
}

// keepNothing returns, for each of the packages, where the funcs begin that come by handles and keep none.
func keepNothing(packages []*gosource.Package, known map[string]*compiled) (map[string]map[place]bool, error) {
	exported := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if c := known[path]; c != nil && c.Export != "" {
			return os.Open(c.Export)
		}
		return nil, fmt.Errorf("%s was not compiled", path)
	})
	k := &keeper{carriers: carriers{map[types.Type]bool{}}, dependent: map[string]bool{}}
	for path, c := range known {
		for _, d := range c.Deps {
			if d == gosource.FrontendPath {
				k.dependent[path] = true
			}
		}
	}
	found := map[string]map[place]bool{}
	for _, p := range packages {
		if len(p.CgoFiles) > 0 {
			continue // its source is not what the compiler gets
		}
		parsed, err := p.Syntax()
		if err != nil {
			return nil, err
		}
		built, _, err := ssautil.BuildPackage(&types.Config{Importer: exported}, parsed.Set, types.NewPackage(p.ImportPath, p.Name),
			parsed.Files, ssa.InstantiateGenerics)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		found[p.ImportPath] = k.places(built, parsed.Set)
	}
	return found, nil
}

// places returns where the funcs of a package begin that come by handles and keep none.
func (k *keeper) places(p *ssa.Package, set *token.FileSet) map[place]bool {
	places := map[place]bool{}
	for fn := range ssautil.AllFunctions(p.Prog) {
		if fn.Pkg != p || len(fn.Blocks) == 0 || fn.Synthetic != "" {
			continue
		}
		var begins token.Pos
		switch syntax := fn.Syntax().(type) {
		case *ast.FuncDecl:
			begins = syntax.Type.Pos()
		case *ast.FuncLit:
			begins = syntax.Type.Pos()
		default:
			continue
		}
		if k.letter(fn) != "" {
			places[placeOf(set, begins)] = true
		}
	}
	return places
}
