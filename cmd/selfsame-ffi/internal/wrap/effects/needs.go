package effects

import (
	"go/ast"
	"go/token"
	"slices"
)

// Needs says whether a func, or a method of a type, fails for certain when a parameter is nil: its body looks into what the parameter
// points to, or calls it, before anything else can happen. isPart says whether a name behind the parameter's is a part of what it
// points to: a method alone may be made for nil.
func (b *Bodies) Needs(path, receiver, name string, param int, isPart func(name string) bool) bool {
	s := b.sources(path)
	return s.needs(s.find(receiver, name), param, isPart, map[*declared]bool{})
}

func (s *sources) needs(f *declared, param int, isPart func(string) bool, seen map[*declared]bool) bool {
	if f == nil || f.Body == nil || seen[f] {
		return false
	}
	seen[f] = true
	name := f.parameter(param)
	if name == "" {
		return false
	}
	look := &need{of: s, name: name, isPart: isPart, seen: seen}
	for _, statement := range f.Body.List {
		ast.Inspect(statement, look.visit)
		if look.found {
			return true
		}
		if look.leaves(statement) {
			return false
		}
	}
	return false
}

// parameter returns the name of a parameter, "" where the body cannot use it.
func (f *declared) parameter(i int) string {
	for _, field := range f.Type.Params.List {
		if i >= len(field.Names) {
			i -= len(field.Names)
			continue
		}
		if name := field.Names[i].Name; name != "_" {
			return name
		}
		break
	}
	return ""
}

// need looks for a use of one parameter.
type need struct {
	of     *sources
	name   string
	isPart func(string) bool
	seen   map[*declared]bool
	found  bool
}

func (n *need) is(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == n.name
}

// visit goes into what is certainly evaluated.
func (n *need) visit(node ast.Node) bool {
	only := func(parts ...ast.Node) bool {
		for _, part := range parts {
			if part != nil {
				ast.Inspect(part, n.visit)
			}
		}
		return false
	}
	switch x := node.(type) {
	case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.BlockStmt, *ast.SelectStmt, *ast.TypeSwitchStmt:
		return false
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			return only(x.X)
		}
	case *ast.IfStmt:
		return only(x.Init, x.Cond)
	case *ast.ForStmt:
		return only(x.Init, x.Cond)
	case *ast.RangeStmt:
		return only(x.X)
	case *ast.SwitchStmt:
		return only(x.Init, x.Tag)
	case *ast.SelectorExpr:
		n.found = n.found || n.is(x.X) && n.isPart(x.Sel.Name)
	case *ast.StarExpr:
		n.found = n.found || n.is(x.X)
	case *ast.CallExpr:
		n.found = n.found || n.is(x.Fun) || n.passes(x)
	}
	return !n.found
}

// passes says whether a call gives the parameter to a func of the package that needs it.
func (n *need) passes(call *ast.CallExpr) bool {
	id, ok := call.Fun.(*ast.Ident)
	at := slices.IndexFunc(call.Args, n.is)
	return ok && at >= 0 && n.of.needs(n.of.funcs[id.Name], at, n.isPart, n.seen)
}

// leaves says whether what follows a statement is not certain: it may return, or it gives the parameter another value.
func (n *need) leaves(statement ast.Stmt) (found bool) {
	ast.Inspect(statement, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			found = true
		case *ast.CallExpr:
			id, ok := x.Fun.(*ast.Ident)
			found = found || ok && id.Name == "panic"
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(x.Lhs, n.is)
		}
		return !found
	})
	return found
}
