package effects

import (
	"go/ast"
	"go/token"
	"regexp"
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

// reading finds the names of funcs that give one value after another, whose end is that of those who ask them.
var reading = regexp.MustCompile(`(?i)^(next|read|recv|receive|decode|scan|token|fetch|pop)`)

// Ends says whether a method that gives one value after another tells of an end: it names io.EOF, returns nil without an error, or asks
// another one.
func (b *Bodies) Ends(path, receiver, name string) (ends bool) {
	f := b.sources(path).find(receiver, name)
	if f == nil || f.Body == nil {
		return false
	}
	isNil := func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && id.Name == "nil" }
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Ident:
			ends = ends || x.Name == "EOF"
		case *ast.ReturnStmt:
			ends = ends || len(x.Results) == 2 && isNil(x.Results[0]) && isNil(x.Results[1])
		case *ast.CallExpr:
			switch of := x.Fun.(type) {
			case *ast.Ident:
				ends = ends || reading.MatchString(of.Name)
			case *ast.SelectorExpr:
				ends = ends || reading.MatchString(of.Sel.Name)
			}
		}
		return true
	})
	return ends
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
