package load

import "go/ast"

// Returns says what a func gives as its first result, as far as its source tells.
type Returns struct {
	Nil     bool   // some return gives nil, or a field, which may be nil
	Written bool   // some return gives nil as the source has it
	From    string // the func of the package whose result some return gives; "": none
	Kept    bool   // some return gives a field of the receiver or of an argument, or a package variable: Go goes on using it
}

// returnsOf reads the returns of a func.
func returnsOf(f *ast.FuncDecl) (r Returns) {
	if f.Body == nil {
		return r
	}
	outside, local := map[string]bool{}, map[string]bool{}
	name := func(of map[string]bool, list *ast.FieldList) {
		if list == nil {
			return
		}
		for _, field := range list.List {
			for _, id := range field.Names {
				of[id.Name] = true
			}
		}
	}
	name(outside, f.Recv)
	name(outside, f.Type.Params)
	name(local, f.Type.Results)
	inBody(f.Body, func(n ast.Node) {
		switch x := n.(type) {
		case *ast.AssignStmt:
			for _, e := range x.Lhs {
				if id, ok := e.(*ast.Ident); ok && !outside[id.Name] {
					local[id.Name] = true
				}
			}
		case *ast.ValueSpec:
			for _, id := range x.Names {
				local[id.Name] = true
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{x.Key, x.Value} {
				if id, ok := e.(*ast.Ident); ok {
					local[id.Name] = true
				}
			}
		}
	})
	inBody(f.Body, func(n ast.Node) {
		x, ok := n.(*ast.ReturnStmt)
		if !ok || len(x.Results) == 0 {
			return
		}
		if call, ok := x.Results[0].(*ast.CallExpr); ok {
			if of, ok := call.Fun.(*ast.Ident); ok {
				r.From = of.Name
			}
		}
		root, isPart := rootOf(x.Results[0])
		switch {
		case root == "nil" && !isPart:
			r.Nil, r.Written = true, true
		case isPart && outside[root]:
			r.Nil, r.Kept = true, true
		case root != "" && !outside[root] && !local[root]: // a package variable, of this package or of another one
			r.Kept = true
		}
	})
	return r
}

// inBody calls visit for what a body has, but for func literals in it.
func inBody(body *ast.BlockStmt, visit func(ast.Node)) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, is := n.(*ast.FuncLit); is {
			return false
		}
		if n != nil {
			visit(n)
		}
		return true
	})
}

// rootOf returns the name with which an expression such as x.field[:n] begins; isPart is false for the name alone. It is "" for others.
func rootOf(e ast.Expr) (name string, isPart bool) {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name, false
	case *ast.SelectorExpr:
		name, _ = rootOf(x.X)
		return name, true
	case *ast.IndexExpr:
		name, isPart = rootOf(x.X)
		return name, isPart
	case *ast.SliceExpr:
		return rootOf(x.X)
	case *ast.ParenExpr:
		return rootOf(x.X)
	case *ast.StarExpr:
		name, _ = rootOf(x.X)
		return name, true
	}
	return "", false
}
