package effects

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Body says what the source of a func does to one argument, as far as that can be read.
type Body struct {
	Writes  bool // it sets elements, or calls a func that does
	Keeps   bool // it stores the argument, or a goroutine has it
	Unknown bool // it does something else with it
}

func (b *Body) add(other Body) {
	b.Writes, b.Keeps, b.Unknown = b.Writes || other.Writes, b.Keeps || other.Keeps, b.Unknown || other.Unknown
}

// Bodies reads the sources of packages.
type Bodies struct {
	files    func(path string) []string // the Go files of a package
	packages map[string]*sources
	known    map[bodyKey]*Body
}

type bodyKey struct {
	path, receiver, name string
	param                int
}

// sources are the funcs of a package.
type sources struct {
	path    string
	funcs   map[string]*declared
	methods map[string][]*declared
	names   map[string]token.Token // of its variables and types: VAR or TYPE
}

type declared struct {
	*ast.FuncDecl
	imports map[string]string // what the file calls packages
}

// NewBodies returns the bodies of packages; files returns the Go files of one.
func NewBodies(files func(path string) []string) *Bodies {
	return &Bodies{files: files, packages: map[string]*sources{}, known: map[bodyKey]*Body{}}
}

func (b *Bodies) sources(path string) *sources {
	if known := b.packages[path]; known != nil {
		return known
	}
	made := &sources{path: path, funcs: map[string]*declared{}, methods: map[string][]*declared{}, names: map[string]token.Token{}}
	b.packages[path] = made
	for _, name := range b.files(path) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		imports := map[string]string{}
		for _, i := range file.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			name := path[strings.LastIndexByte(path, '/')+1:]
			if i.Name != nil {
				name = i.Name.Name
			}
			imports[name] = path
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			switch {
			case !ok:
				made.declare(d.(*ast.GenDecl))
			case f.Recv == nil:
				made.funcs[f.Name.Name] = &declared{f, imports}
			default:
				made.methods[f.Name.Name] = append(made.methods[f.Name.Name], &declared{f, imports})
			}
		}
	}
	return made
}

// declare notes the variables and types of a declaration.
func (s *sources) declare(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch x := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range x.Names {
				s.names[name.Name] = d.Tok
			}
		case *ast.TypeSpec:
			s.names[x.Name.Name] = token.TYPE
		}
	}
}

// Receiver is the receiver of a method, among its parameters.
const Receiver = -1

// Of returns what a func, or a method of a type, does to a parameter.
func (b *Bodies) Of(path, receiver, name string, param int) Body {
	s := b.sources(path)
	return b.of(s, s.find(receiver, name), bodyKey{path, receiver, name, param})
}

// find returns the declaration of a func, or of a method of a type; nil where there is none.
func (s *sources) find(receiver, name string) *declared {
	if receiver == "" {
		return s.funcs[name]
	}
	for _, m := range s.methods[name] {
		if receiverName(m.FuncDecl) == receiver {
			return m
		}
	}
	return nil
}

func receiverName(f *ast.FuncDecl) string {
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func (b *Bodies) of(s *sources, f *declared, key bodyKey) Body {
	if f == nil || f.Body == nil {
		return Body{Unknown: true}
	}
	if known := b.known[key]; known != nil {
		return *known
	}
	made := &Body{} // of a func that calls itself: what else it does counts
	b.known[key] = made
	var names []*ast.Ident
	params := f.Type.Params
	if key.param == Receiver {
		params = f.Recv
	}
	if params.NumFields() == 0 {
		return *made
	}
	for _, field := range params.List {
		if len(field.Names) == 0 {
			return *made // a parameter without a name is not used
		}
		names = append(names, field.Names...)
	}
	w := &walk{bodies: b, of: s, f: f}
	if key.param == Receiver {
		w.receiver = key.receiver
	}
	at := max(0, min(key.param, len(names)-1)) // of a variadic one
	w.names = map[string]bool{names[at].Name: false}
	for n := -1; n != len(w.names); { // until no further name is one for the argument
		n, w.found, w.at = len(w.names), Body{}, nil
		ast.Inspect(f.Body, w.visit)
	}
	made.add(w.found)
	return *made
}

// walk goes over one body.
type walk struct {
	bodies   *Bodies
	of       *sources
	f        *declared
	receiver string          // the type of the argument where that is the receiver, else ""
	names    map[string]bool // variables that lead to the argument; true: to a part of it
	at       []ast.Node      // from the body to the node
	found    Body
}

func (w *walk) visit(n ast.Node) bool {
	if n == nil {
		w.at = w.at[:len(w.at)-1]
		return true
	}
	w.at = append(w.at, n)
	if id, ok := n.(*ast.Ident); ok {
		if part, is := w.names[id.Name]; is {
			w.use(id, part)
		}
	}
	return true
}

// use notes what is done with a variable, which may lead to a part only: who keeps a part does not keep the whole.
func (w *walk) use(id *ast.Ident, part bool) {
	var e ast.Expr = id
	inside, sliced := false, false // it is an element; it is a part of the memory
	if slices.ContainsFunc(w.at, func(n ast.Node) bool { _, is := n.(*ast.GoStmt); return is }) {
		w.found.Keeps = true
	}
	for i := len(w.at) - 2; i >= 0; i-- {
		switch x := w.at[i].(type) {
		case *ast.ParenExpr:
			e = x
			continue
		case *ast.StarExpr:
			e, inside = x, true
			continue
		case *ast.SelectorExpr:
			if x.Sel == id {
				return // a field or method of that name
			}
			if i > 0 {
				if call, ok := w.at[i-1].(*ast.CallExpr); ok && call.Fun == x {
					w.method(x.Sel.Name, part || inside)
					return
				}
			}
			e, inside = x, true
			continue
		case *ast.IndexExpr:
			if x.X != e {
				return // an index
			}
			e, inside = x, true
			continue
		case *ast.SliceExpr:
			if x.X != e {
				return
			}
			e, sliced = x, true
			continue
		case *ast.UnaryExpr:
			if x.Op == token.AND {
				w.found.Unknown = true
			}
			return
		case *ast.KeyValueExpr:
			if x.Key == e {
				return
			}
			w.found.Keeps = w.found.Keeps || !part && !inside
			return
		case *ast.CompositeLit, *ast.SendStmt:
			w.found.Keeps = w.found.Keeps || !part && !inside
			return
		case *ast.IncDecStmt:
			w.found.Writes = true
			return
		case *ast.AssignStmt:
			w.assigned(x, e, inside, part || inside)
			return
		case *ast.RangeStmt:
			if x.X == e && x.Value != nil {
				w.alias(x.Value, true)
			}
			if x.X != e && (x.Key == e || x.Value == e) && inside {
				w.found.Writes = true
			}
			return
		case *ast.ValueSpec:
			for _, name := range x.Names {
				w.alias(name, part || inside)
			}
			return
		case *ast.CallExpr:
			if w.receiver != "" && inside && !sliced && x.Fun != e {
				return // a copy of a field
			}
			if w.passed(x, e, inside) {
				e = x
				continue // the result is the argument
			}
			return
		case *ast.TypeAssertExpr:
			w.found.Unknown = true
			return
		default: // it is compared, returned, or decides
			return
		}
	}
}

// method notes a call of a method of the argument, or of a part of it.
func (w *walk) method(name string, part bool) {
	if m := w.of.find(w.receiver, name); m != nil && w.receiver != "" && !part {
		w.found.add(w.bodies.of(w.of, m, bodyKey{w.of.path, w.receiver, name, Receiver}))
		return
	}
	w.found.Unknown = true
}

func (w *walk) isTypeParam(name string) bool {
	if w.f.Type.TypeParams == nil {
		return false
	}
	for _, field := range w.f.Type.TypeParams.List {
		if slices.ContainsFunc(field.Names, func(id *ast.Ident) bool { return id.Name == name }) {
			return true
		}
	}
	return false
}

// alias notes a variable that has the argument, or a part of it.
func (w *walk) alias(e ast.Expr, part bool) {
	if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
		known, is := w.names[id.Name]
		w.names[id.Name] = part && (known || !is)
	}
}

func (w *walk) assigned(s *ast.AssignStmt, e ast.Expr, inside, part bool) {
	for i, left := range s.Lhs {
		if left == e {
			w.found.Writes = w.found.Writes || inside
			return
		}
		if len(s.Lhs) == len(s.Rhs) && s.Rhs[i] != e {
			continue
		}
		if id, ok := left.(*ast.Ident); ok && (s.Tok == token.DEFINE || w.of.names[id.Name] != token.VAR) {
			w.alias(left, part)
		} else if !part {
			w.found.Keeps = true
		}
	}
}

// passed notes what a call does with the argument. It reports whether the result is the argument, as that of append or of a conversion.
func (w *walk) passed(call *ast.CallExpr, e ast.Expr, inside bool) bool {
	at := -1
	for i, arg := range call.Args {
		if arg == e {
			at = i
		}
	}
	if at < 0 {
		w.found.Unknown = true // it is called
		return false
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		switch f.Name {
		case "len", "cap", "min", "max", "panic", "print", "println", "string", "float64", "float32", "complex", "real", "imag", "new", "make",
			"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "byte", "rune", "bool":
			return false
		case "append":
			return at == 0
		case "copy", "delete", "clear":
			w.found.Writes = w.found.Writes || at == 0
			return false
		}
		if other := w.of.funcs[f.Name]; other != nil {
			w.found.add(w.bodies.of(w.of, other, bodyKey{w.of.path, "", f.Name, at}))
			return false
		}
		if w.of.names[f.Name] == token.TYPE || w.isTypeParam(f.Name) {
			return true // a conversion
		}
	case *ast.SelectorExpr:
		if p, ok := f.X.(*ast.Ident); ok && w.f.imports[p.Name] != "" {
			w.found.add(w.bodies.Of(w.f.imports[p.Name], "", f.Sel.Name, at))
			return false
		}
		if methods := w.of.methods[f.Sel.Name]; len(methods) == 1 {
			w.found.add(w.bodies.of(w.of, methods[0], bodyKey{w.of.path, receiverName(methods[0].FuncDecl), f.Sel.Name, at}))
			return false
		}
	case *ast.ArrayType, *ast.MapType:
		return true
	}
	w.found.Unknown = w.found.Unknown || !inside
	return false
}
