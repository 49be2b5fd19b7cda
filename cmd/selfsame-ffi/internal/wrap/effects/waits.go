package effects

import (
	"go/ast"
	"go/token"
	"slices"
)

// waiting are the names of methods and funcs of other packages that return when something from outside comes, or never.
var waiting = []string{"Accept", "AcceptTCP", "AcceptUnix", "ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS", "Wait", "ReadFrom",
	"ReadFromUDP", "ReadFromUDPAddrPort", "ReadMsgUDP", "Recv", "RecvMsg", "Run"}

// Waits says whether the body of a func, or of a method of a type, waits for something from outside: for a channel, a connection, another
// goroutine. It looks into the funcs of the package that the body calls, but not into goroutines that it starts.
func (b *Bodies) Waits(path, receiver, name string) bool {
	s := b.sources(path)
	return s.waits(s.find(receiver, name), map[*declared]bool{})
}

func (s *sources) waits(f *declared, seen map[*declared]bool) (found bool) {
	if f == nil || f.Body == nil || seen[f] {
		return false
	}
	seen[f] = true
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.GoStmt, *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			isDefault := func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm == nil }
			if slices.ContainsFunc(x.Body.List, isDefault) { // it goes on at once
				for _, c := range x.Body.List {
					for _, statement := range c.(*ast.CommClause).Body {
						found = found || s.waitsIn(statement, f, seen)
					}
				}
				return false
			}
			found = true
		case *ast.UnaryExpr:
			found = found || x.Op == token.ARROW
		case *ast.CallExpr:
			found = found || s.callWaits(x, f, seen)
		}
		return !found
	})
	return found
}

// waitsIn does that for a statement of the body of f.
func (s *sources) waitsIn(statement ast.Stmt, f *declared, seen map[*declared]bool) bool {
	part := *f.FuncDecl
	part.Body = &ast.BlockStmt{List: []ast.Stmt{statement}}
	return s.waits(&declared{&part, f.imports}, seen)
}

// callWaits says whether a called func waits. A method of the package is found by its name, if there is only one of that.
func (s *sources) callWaits(call *ast.CallExpr, f *declared, seen map[*declared]bool) bool {
	switch x := call.Fun.(type) {
	case *ast.Ident:
		return s.waits(s.funcs[x.Name], seen)
	case *ast.SelectorExpr:
		of := s.methods[x.Sel.Name]
		if id, ok := x.X.(*ast.Ident); ok && f.Recv != nil && len(f.Recv.List[0].Names) > 0 && f.Recv.List[0].Names[0].Name == id.Name {
			of = slices.DeleteFunc(slices.Clone(of), func(m *declared) bool { return receiverName(m.FuncDecl) != receiverName(f.FuncDecl) })
		}
		if len(of) == 1 {
			return s.waits(of[0], seen)
		}
		return slices.Contains(waiting, x.Sel.Name)
	}
	return false
}
