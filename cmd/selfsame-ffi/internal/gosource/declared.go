package gosource

import (
	"go/ast"
	"go/token"
	"path/filepath"
)

// Func is a func of a package's source: a declared one, or a literal.
type Func struct {
	Symbol string // as in Texts, without the package's import path: .nearest, .(*Point).Norm, /geo.go:12
	Recv   *ast.FieldList
	Type   *ast.FuncType
}

// Funcs returns the funcs of a package that have a body and no type parameters, and where their files are. One func may come
// under several symbols. Literals that begin on the line of another one are left out.
func Funcs(p *Package, tags []string) ([]Func, *token.FileSet, error) {
	src, err := parseSource(p, tags)
	if err != nil {
		return nil, nil, err
	}
	parsed, err := p.Syntax()
	if err != nil {
		return nil, nil, err
	}
	var found []Func
	var generic []*ast.FuncDecl
	for _, file := range parsed.Files {
		for _, d := range file.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && isGeneric(decl) {
				generic = append(generic, decl)
			}
		}
	}
	for symbol, decl := range src.declared() {
		if decl.Body != nil && !isGeneric(decl) {
			found = append(found, Func{symbol, decl.Recv, decl.Type})
		}
	}
next:
	for place, literal := range src.literals {
		if literal == nil {
			continue
		}
		for _, around := range generic {
			if around.Pos() <= literal.Pos() && literal.Pos() < around.End() {
				continue next
			}
		}
		found = append(found, Func{"/" + filepath.Base(place), nil, literal})
	}
	return found, parsed.Set, nil
}

// isGeneric says whether a func, or the type of its receiver, has type parameters.
func isGeneric(decl *ast.FuncDecl) bool {
	if decl.Type.TypeParams != nil {
		return true
	}
	if decl.Recv == nil || len(decl.Recv.List) != 1 {
		return false
	}
	t := decl.Recv.List[0].Type
	if pointer, ok := t.(*ast.StarExpr); ok {
		t = pointer.X
	}
	return WithoutTypes(t) != t
}
