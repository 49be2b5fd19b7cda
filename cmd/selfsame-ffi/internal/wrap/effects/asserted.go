package effects

import "go/ast"

// Asserted returns the types, by their paths and names, of which the source of a package asks whether a value is one.
func (b *Bodies) Asserted(path string) map[string]bool {
	s, found := b.sources(path), map[string]bool{}
	read := func(f *declared) {
		add := func(e ast.Expr) {
			switch x := e.(type) {
			case *ast.Ident:
				found[path+"."+x.Name] = true
			case *ast.SelectorExpr:
				if p, ok := x.X.(*ast.Ident); ok && f.imports[p.Name] != "" {
					found[f.imports[p.Name]+"."+x.Sel.Name] = true
				}
			}
		}
		ast.Inspect(f.FuncDecl, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.TypeAssertExpr:
				add(x.Type)
			case *ast.TypeSwitchStmt:
				for _, clause := range x.Body.List {
					for _, e := range clause.(*ast.CaseClause).List {
						add(e)
					}
				}
			}
			return true
		})
	}
	for _, f := range s.funcs {
		read(f)
	}
	for _, methods := range s.methods {
		for _, f := range methods {
			read(f)
		}
	}
	return found
}
