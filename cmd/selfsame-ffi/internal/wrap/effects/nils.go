package effects

import (
	"go/ast"
	"go/token"
	"slices"
)

// AsksNil says whether a func, or a method of a type, compares a parameter with nil, or gives it to another one that does: nil means
// something else there than a slice or a map without elements.
func (b *Bodies) AsksNil(path, receiver, name string, param int) bool {
	s := b.sources(path)
	return b.asksNil(s, s.find(receiver, name), param, map[*declared]bool{})
}

func (b *Bodies) asksNil(s *sources, f *declared, param int, seen map[*declared]bool) (found bool) {
	if f == nil || f.Body == nil || seen[f] {
		return false
	}
	seen[f] = true
	of := f.parameter(param)
	if of == "" {
		return false
	}
	is := func(e ast.Expr, name string) bool { id, ok := e.(*ast.Ident); return ok && id.Name == name }
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.BinaryExpr:
			compares := x.Op == token.EQL || x.Op == token.NEQ
			found = found || compares && (is(x.X, of) && is(x.Y, "nil") || is(x.Y, of) && is(x.X, "nil"))
		case *ast.CallExpr:
			at := slices.IndexFunc(x.Args, func(e ast.Expr) bool { return is(e, of) })
			if at < 0 {
				return true
			}
			switch called := x.Fun.(type) {
			case *ast.Ident:
				found = found || b.asksNil(s, s.funcs[called.Name], at, seen)
			case *ast.SelectorExpr:
				if p, ok := called.X.(*ast.Ident); ok && f.imports[p.Name] != "" {
					other := b.sources(f.imports[p.Name])
					found = found || b.asksNil(other, other.funcs[called.Sel.Name], at, seen)
				} else if methods := s.methods[called.Sel.Name]; len(methods) == 1 {
					found = found || b.asksNil(s, methods[0], at, seen)
				}
			}
		}
		return !found
	})
	return found
}
