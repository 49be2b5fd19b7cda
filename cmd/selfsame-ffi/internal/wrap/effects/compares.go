package effects

import (
	"go/ast"
	"go/token"
)

// Whole is the part that [Bodies.Compared] names where the values are compared as they are.
const Whole = ""

// Compared returns what a method of one parameter compares, if it returns nothing but whether parts of the object == those of the argument:
// the fields, and the indices of elements as they are written. It returns nil for another method.
func (b *Bodies) Compared(path, receiver, name string) (parts []string) {
	f := b.sources(path).find(receiver, name)
	if f == nil || f.Body == nil || len(f.Body.List) != 1 || f.Type.Params.NumFields() != 1 {
		return nil
	}
	if len(f.Recv.List[0].Names) != 1 || len(f.Type.Params.List[0].Names) != 1 {
		return nil
	}
	r, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return nil
	}
	own, other := f.Recv.List[0].Names[0].Name, f.Type.Params.List[0].Names[0].Name
	var add func(e ast.Expr) bool
	add = func(e ast.Expr) bool {
		x, ok := e.(*ast.BinaryExpr)
		if !ok {
			return false
		}
		if x.Op == token.LAND {
			return add(x.X) && add(x.Y)
		}
		of, part := partOf(x.X)
		with, same := partOf(x.Y)
		parts = append(parts, part)
		return x.Op == token.EQL && part == same && (of == own && with == other || of == other && with == own)
	}
	if !add(r.Results[0]) {
		return nil
	}
	return parts
}

// partOf returns the variable of an expression such as p, p.X or p[0], and the part of it.
func partOf(e ast.Expr) (of, part string) {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name, Whole
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok {
			return id.Name, x.Sel.Name
		}
	case *ast.IndexExpr:
		id, ok := x.X.(*ast.Ident)
		if index, is := x.Index.(*ast.BasicLit); ok && is {
			return id.Name, index.Value
		}
	}
	return "", Whole
}
