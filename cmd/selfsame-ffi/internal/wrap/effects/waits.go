package effects

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
)

// waiting are the names of methods and funcs of other packages that return when something from outside comes, or never.
var waiting = []string{"Accept", "AcceptTCP", "AcceptUnix", "ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS", "Wait", "ReadFrom",
	"ReadFromUDP", "ReadFromUDPAddrPort", "ReadMsgUDP", "Recv", "RecvMsg", "Run"}

// Waits says whether the body of a func, or of a method of a type, waits for something from outside: for a channel, a connection, another
// goroutine. It looks into the funcs of the package that the body calls, but not into goroutines that it starts.
func (b *Bodies) Waits(path, receiver, name string) bool {
	return b.waits(path, receiver, name, func(called string) bool { return slices.Contains(waiting, called) })
}

// WaitsForInput says whether it does so or reads, perhaps from a connection.
func (b *Bodies) WaitsForInput(path, receiver, name string) bool {
	return b.waits(path, receiver, name, func(called string) bool { return slices.Contains(waiting, called) || input.MatchString(called) })
}

var input = regexp.MustCompile(`^(Read|Recv|Receive|Peek|Accept)`)

func (b *Bodies) waits(path, receiver, name string, isWait func(called string) bool) bool {
	s := b.sources(path)
	w := waitSearch{s, isWait, map[*declared]bool{}}
	return w.in(s.find(receiver, name))
}

// waitSearch looks for waits in bodies.
type waitSearch struct {
	*sources
	isWait func(called string) bool // of a func of another package, or a method that could be of several types
	seen   map[*declared]bool
}

func (s *waitSearch) in(f *declared) (found bool) {
	if f == nil || f.Body == nil || s.seen[f] {
		return false
	}
	s.seen[f] = true
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.GoStmt, *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			isDefault := func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm == nil }
			if slices.ContainsFunc(x.Body.List, isDefault) { // it goes on at once
				for _, c := range x.Body.List {
					for _, statement := range c.(*ast.CommClause).Body {
						found = found || s.inStatement(statement, f)
					}
				}
				return false
			}
			found = true
		case *ast.UnaryExpr:
			found = found || x.Op == token.ARROW
		case *ast.CallExpr:
			found = found || s.inCall(x, f)
		}
		return !found
	})
	return found
}

// inStatement does that for a statement of the body of f.
func (s *waitSearch) inStatement(statement ast.Stmt, f *declared) bool {
	part := *f.FuncDecl
	part.Body = &ast.BlockStmt{List: []ast.Stmt{statement}}
	return s.in(&declared{&part, f.imports})
}

// inCall says whether a called func waits. A method of the package is found by its name, if there is only one of that.
func (s *waitSearch) inCall(call *ast.CallExpr, f *declared) bool {
	switch x := call.Fun.(type) {
	case *ast.Ident:
		return s.in(s.funcs[x.Name])
	case *ast.SelectorExpr:
		of := s.methods[x.Sel.Name]
		if id, ok := x.X.(*ast.Ident); ok && f.Recv != nil && len(f.Recv.List[0].Names) > 0 && f.Recv.List[0].Names[0].Name == id.Name {
			of = slices.DeleteFunc(slices.Clone(of), func(m *declared) bool { return receiverName(m.FuncDecl) != receiverName(f.FuncDecl) })
		}
		if len(of) == 1 {
			return s.in(of[0])
		}
		return s.isWait(x.Sel.Name)
	}
	return false
}
