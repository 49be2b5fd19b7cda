// Package borrowed finds pointers of Handle.Get that are used when nothing keeps the handle any more.
//
// Go's collector does not see that a pointer into native memory needs its handle. In
//
//	h := NodeClass.New(nil)
//	h.Get().Left.Set(NodeClass.New(nil))
//
// the second line is the last use of h, and h.Get() is evaluated first: a collection while the argument is made may free the
// object that Set writes to. The package reads the syntax tree alone, so it knows a handle by how it was made: by a call of
// New, or of a func of the same package whose result is a *Handle. Such a handle may be the only owner. Parameters are not
// looked at, because the caller keeps them, and neither are handles fetched from a field, because the field owns the object.
package borrowed

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// Finding is one use that is not safe.
type Finding struct {
	Position token.Position
	Handle   string // the variable
	Use      string // what uses the pointer: "Left.Set" or the variable that has it
}

func (f Finding) String() string {
	return fmt.Sprintf("%s: %s may be finalized before %s is done: this is the last use of %s, and a pointer from Get does not"+
		" keep it. Use %s.Do, end with runtime.KeepAlive(%s), or set fields in the func that New takes",
		f.Position, f.Handle, f.Use, f.Handle, f.Handle, f.Handle)
}

// Check looks at the Go files of one package. Its error is that of a file that does not parse.
func Check(p *gosource.Package) ([]Finding, error) {
	parsed, err := p.Syntax()
	if err != nil {
		return nil, err
	}
	makers := makersOf(parsed.Files)
	var found []Finding
	for _, file := range parsed.Files {
		for _, decl := range file.Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				var body *ast.BlockStmt
				switch x := n.(type) {
				case *ast.FuncDecl:
					body = x.Body
				case *ast.FuncLit:
					body = x.Body
				}
				if body != nil {
					found = append(found, (&checker{fset: parsed.Set, makers: makers, body: body}).check()...)
				}
				return true
			})
		}
	}
	return found, nil
}

// makersOf returns the names of the funcs whose first result is a *Handle.
func makersOf(files []*ast.File) map[string]bool {
	makers := map[string]bool{}
	for _, file := range files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Type.Results == nil {
				continue
			}
			star, ok := fn.Type.Results.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			if index, ok := star.X.(*ast.IndexExpr); ok && lastName(index.X) == "Handle" {
				makers[fn.Name.Name] = true
			}
		}
	}
	return makers
}

// checker looks at one function, without the function literals in it, which have a checker each. Variables are told apart by name alone: a mention of
// another variable of the same name counts as a use, which hides a finding and never makes a wrong one.
type checker struct {
	fset   *token.FileSet
	makers map[string]bool
	body   *ast.BlockStmt
	made   map[string]token.Pos   // variables with a new handle, and where they are declared
	uses   map[string][]token.Pos // mentions of all names
	kept   map[string]bool        // names that a deferred call or a function literal mentions
	loops  []*ast.BlockStmt
}

func (c *checker) check() (found []Finding) {
	c.made, c.uses, c.kept = map[string]token.Pos{}, map[string][]token.Pos{}, map[string]bool{}
	ast.Inspect(c.body, c.collect)
	if len(c.made) == 0 {
		return nil
	}
	var parents []ast.Node
	ast.Inspect(c.body, func(n ast.Node) bool {
		if n == nil {
			parents = parents[:len(parents)-1]
			return true
		}
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if f := c.borrowing(call, parents); f != nil {
				found = append(found, *f)
			}
		}
		parents = append(parents, n)
		return true
	})
	return found
}

// collect notes variables, mentions and loops.
func (c *checker) collect(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.AssignStmt:
		if x.Tok == token.DEFINE && len(x.Rhs) == 1 && c.makes(x.Rhs[0]) {
			if id, ok := x.Lhs[0].(*ast.Ident); ok {
				c.made[id.Name] = id.Pos()
			}
		}
	case *ast.ValueSpec:
		if len(x.Values) == 1 && c.makes(x.Values[0]) {
			c.made[x.Names[0].Name] = x.Names[0].Pos()
		}
	case *ast.Ident:
		c.uses[x.Name] = append(c.uses[x.Name], x.Pos())
	case *ast.ForStmt:
		c.loops = append(c.loops, x.Body)
	case *ast.RangeStmt:
		c.loops = append(c.loops, x.Body)
	case *ast.DeferStmt, *ast.FuncLit, *ast.LabeledStmt: // a label: goto may go back
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Pos() != x.Pos() {
				c.kept[id.Name] = true
			}
			return true
		})
		_, literal := n.(*ast.FuncLit)
		return !literal
	}
	return true
}

// makes reports whether an expression is a call that makes a handle.
func (c *checker) makes(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	switch fun := gosource.WithoutTypes(call.Fun).(type) {
	case *ast.SelectorExpr:
		return fun.Sel.Name == "New"
	case *ast.Ident:
		return c.makers[fun.Name]
	}
	return false
}

// borrowing checks a call that may be h.Get() of a new handle. parents are the nodes around it, the innermost last.
func (c *checker) borrowing(call *ast.CallExpr, parents []ast.Node) *Finding {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Get" || len(call.Args) != 0 {
		return nil
	}
	handle, ok := sel.X.(*ast.Ident)
	if !ok || c.kept[handle.Name] {
		return nil
	}
	declared, ok := c.made[handle.Name]
	if !ok || call.Pos() < declared {
		return nil
	}
	use, end := c.useOf(call, parents)
	if use == "" || c.mentioned(handle.Name, call, parents, end) {
		return nil
	}
	return &Finding{c.fset.Position(call.Pos()), handle.Name, use}
}

// useOf tells what uses the pointer, and where that ends. "" for a single load or store, and for a call of the
// frontend's own field types with arguments that call nothing: nothing runs there that could take long.
func (c *checker) useOf(call *ast.CallExpr, parents []ast.Node) (use string, end token.Pos) {
	var inner ast.Node = call
	var names []string
	for i := len(parents) - 1; i >= 0; i-- {
		switch p := parents[i].(type) {
		case *ast.SelectorExpr:
			names = append(names, p.Sel.Name)
		case *ast.ParenExpr, *ast.IndexExpr, *ast.StarExpr:
		case *ast.CallExpr:
			if p.Fun != inner { // the pointer, or what was loaded through it, is an argument
				if len(names) == 0 {
					return lastName(p.Fun), p.End()
				}
				return "", 0
			}
			if name := names[len(names)-1]; !ownMethods[name] || len(names) == 1 || hasCall(p.Args) {
				return strings.Join(names, "."), p.End()
			}
			return "", 0
		case *ast.AssignStmt:
			if id, ok := p.Lhs[0].(*ast.Ident); ok && len(names) == 0 && len(p.Rhs) == 1 {
				return c.lastUse(id.Name)
			}
			return "", 0
		default:
			return "", 0
		}
		inner = parents[i]
	}
	return "", 0
}

// lastUse returns a variable that has the pointer, and its last mention.
func (c *checker) lastUse(name string) (string, token.Pos) {
	if name == "_" || c.kept[name] {
		return "", 0
	}
	uses := c.uses[name]
	return name, uses[len(uses)-1]
}

// mentioned reports whether the handle is used after the end of the borrowing, or again in the next turn of a loop that the
// handle outlives, or returned by the statement that borrows.
func (c *checker) mentioned(handle string, call *ast.CallExpr, parents []ast.Node, end token.Pos) bool {
	own := call.Fun.(*ast.SelectorExpr).X.Pos()
	var statement ast.Node = call
	for i := len(parents) - 1; i >= 0; i-- {
		if ret, ok := parents[i].(*ast.ReturnStmt); ok {
			statement = ret
		}
	}
	for _, use := range c.uses[handle] {
		if use >= end || use != own && statement.Pos() <= use && use < statement.End() {
			return true
		}
	}
	for _, loop := range c.loops {
		if loop.Pos() <= own && own < loop.End() && c.made[handle] < loop.Pos() {
			return true
		}
	}
	return false
}

// ownMethods are the methods of the frontend's field types that are one short call.
var ownMethods = map[string]bool{
	"Get": true, "Ptr": true, "Set": true, "Clear": true, "Len": true, "At": true, "SetAt": true, "Append": true, "String": true,
	"IsSet": true,
}

// hasCall reports whether one of the expressions calls something or makes a func, so that evaluating it may take long.
func hasCall(exprs []ast.Expr) (has bool) {
	for _, e := range exprs {
		ast.Inspect(e, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && !isConversion(call) {
				has = true
			}
			return !has
		})
	}
	return has
}

// isConversion reports whether a call converts to a basic type.
func isConversion(call *ast.CallExpr) bool {
	id, ok := call.Fun.(*ast.Ident)
	return ok && strings.Contains(" int int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 string len ", " "+id.Name+" ")
}

func lastName(e ast.Expr) string {
	switch x := gosource.WithoutTypes(e).(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return "the call"
}
