package kept

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
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
	ImportPath, Export, Dir, Name string
	Deps, GoFiles, CgoFiles       []string
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

// lettersIn returns, for each of the packages, the letters of the funcs that have any, by where they begin.
func lettersIn(packages []*gosource.Package, known map[string]*compiled) (map[string]map[place]string, error) {
	exported := gosource.Importer(func(path string) (io.ReadCloser, error) {
		if c := known[path]; c != nil && c.Export != "" {
			return os.Open(c.Export)
		}
		return nil, fmt.Errorf("%s was not compiled", path)
	})
	k := &keeper{carriers: carriers{map[types.Type]bool{}}, dependent: map[string]bool{}, bodies: bodies{
		known: known, exported: exported, classes: map[string]bool{}, packages: map[string]bool{}, read: map[string]*ssa.Package{},
	}}
	for path, c := range known {
		for _, d := range c.Deps {
			if d == gosource.FrontendPath {
				k.dependent[path] = true
			}
		}
	}
	found := map[string]map[place]string{}
	for _, p := range packages {
		if len(p.CgoFiles) > 0 {
			continue // its source is not what the compiler gets
		}
		parsed, err := p.Syntax()
		if err != nil {
			return nil, err
		}
		if found[p.ImportPath], err = k.read(p, parsed, exported); err != nil {
			return nil, fmt.Errorf("%s: %w", p.ImportPath, err)
		}
	}
	return found, nil
}

// read does lettersIn's work for one package. Source that is newer than package ssa may make that panic.
func (k *keeper) read(p *gosource.Package, parsed *gosource.Syntax, exported types.Importer) (found map[place]string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("its source was not understood: %v", r)
		}
	}()
	built, _, err := ssautil.BuildPackage(&types.Config{Importer: exported}, parsed.Set, types.NewPackage(p.ImportPath, p.Name),
		parsed.Files, ssa.InstantiateGenerics)
	if err != nil {
		return nil, err
	}
	k.bodies.add(built.Pkg)
	return k.places(built, parsed.Set), nil
}

// places returns the letters of a package's funcs by where they begin.
func (k *keeper) places(p *ssa.Package, set *token.FileSet) map[place]string {
	places := map[place]string{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		for _, inner := range fn.AnonFuncs {
			visit(inner)
		}
		if len(fn.Blocks) == 0 || fn.Synthetic != "" {
			return
		}
		var begins token.Pos
		switch syntax := fn.Syntax().(type) {
		case *ast.FuncDecl:
			begins = syntax.Type.Pos()
		case *ast.FuncLit:
			begins = syntax.Type.Pos()
		default:
			return
		}
		if letters := k.letters(fn); letters != "" {
			places[placeOf(set, begins)] = letters
		}
	}
	for _, member := range p.Members {
		switch member := member.(type) {
		case *ssa.Function:
			visit(member)
		case *ssa.Type:
			if named, ok := types.Unalias(member.Type()).(*types.Named); ok {
				for i := range named.NumMethods() {
					visit(p.Prog.FuncValue(named.Method(i)))
				}
			}
		}
	}
	return places
}
