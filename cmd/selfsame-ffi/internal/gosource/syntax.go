package gosource

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// Syntax is the Go files of a package, parsed with comments.
type Syntax struct {
	Set   *token.FileSet
	Files []*ast.File
}

// Syntax parses the package's Go files, the first time only. A file that does not parse is an error. When the module is
// for a later Go than the tool was built with, what this Go understands of the file is taken, and the compiler says
// what is wrong with it. One goroutine at a time may call it.
func (p *Package) Syntax() (*Syntax, error) {
	if p.syntax != nil {
		return p.syntax, nil
	}
	parsed := &Syntax{Set: token.NewFileSet()}
	for _, path := range p.Files() {
		file, err := parser.ParseFile(parsed.Set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil && (file == nil || p.Module == nil || !IsLater("go"+p.Module.GoVersion)) {
			return nil, err
		}
		parsed.Files = append(parsed.Files, file)
	}
	p.syntax = parsed
	return parsed, nil
}

// WithoutTypes removes type arguments from an expression: New[T] is New.
func WithoutTypes(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.IndexExpr:
		return x.X
	case *ast.IndexListExpr:
		return x.X
	}
	return e
}
