package effects

import (
	"go/ast"
	"go/token"
)

// Loops says whether a method calls its func once for each element, and ends: the call stands in a loop that goes over something or has a
// condition. Where asks is set, the func says whether to go on, and its no ends the loop.
func (b *Bodies) Loops(path, receiver, name string, asks bool) bool {
	f := b.sources(path).find(receiver, name)
	if f == nil || f.Body == nil || len(f.Type.Params.List) != 1 || len(f.Type.Params.List[0].Names) != 1 {
		return false
	}
	l := &loops{of: f.Type.Params.List[0].Names[0].Name}
	ast.Inspect(f.Body, l.visit)
	return l.calls && !l.endless && (l.stops || !asks)
}

// loops looks for the calls of one parameter.
type loops struct {
	of                    string
	calls, stops, endless bool
}

func (l *loops) isCall(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == l.of
}

func (l *loops) visit(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.FuncLit, *ast.GoStmt:
		return false
	case *ast.ForStmt:
		l.endless = l.endless || x.Cond == nil
		l.within(x.Body)
	case *ast.RangeStmt:
		l.within(x.Body)
	case *ast.UnaryExpr:
		l.stops = l.stops || x.Op == token.NOT && l.isCall(x.X)
	}
	return true
}

func (l *loops) within(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		l.calls = l.calls || l.isCall(n)
		return true
	})
}
