package gosource

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// Names holds the comments and parameter names that reflection data lacks, by registered name.
type Names struct {
	Classes   map[string]*ClassNames
	Functions map[string]*FuncNames
	Errors    map[string]ErrorNames // the kinds of RegisterErrorKind
	Registers bool                  // whether a file imports the frontend
	source    *source
}

// BySymbol returns the names of the func with a linker symbol, such as example.com/geo.nearest or
// example.com/geo.(*Point).Norm, however it was registered, and of a func literal at a place such as
// example.com/geo/geo.go:12; nil when its source is not at hand.
func (n *Names) BySymbol(symbol string) *FuncNames {
	if n.source != nil && n.source.literals[symbol] != nil {
		return literalNames(n.source.literals[symbol], false)
	}
	slash := strings.LastIndexByte(symbol, '/') + 1
	dot := strings.IndexByte(symbol[slash:], '.')
	if n.source == nil || dot < 0 {
		return nil
	}
	src := n.source
	path, rest := symbol[:slash+dot], symbol[slash+dot+1:]
	if own, ok := strings.CutPrefix(symbol, src.pkg.ImportPath+"."); ok { // the last part of an import path may have dots
		path, rest = src.pkg.ImportPath, own
	}
	if path != src.pkg.ImportPath {
		if src = src.byPath(path); src == nil {
			return nil
		}
	}
	if typ, method, ok := strings.Cut(rest, "."); ok {
		typ = strings.Trim(typ, "(*)")
		typ, _, _ = strings.Cut(typ, "[")
		if decl := src.method(typ, method); decl != nil {
			return declNames(decl, false)
		}
		return nil
	}
	rest, _, _ = strings.Cut(rest, "[")
	if decl := src.functions[rest]; decl != nil {
		return declNames(decl, false)
	}
	return nil
}

// ErrorNames is what the source says of a kind of errors.
type ErrorNames struct {
	Doc  string // the comment of the sentinel error
	Base string // a builtin exception that it is too
}

// ClassNames holds the comments and names of one class.
type ClassNames struct {
	Doc     string
	Fields  map[string]string // comment by FieldID
	Init    *FuncNames        // nil: none found
	Methods map[string]*FuncNames
}

// FuncNames holds the comment of one function, and its parameter names without a method's object. The name of an
// unnamed parameter is "".
type FuncNames struct {
	GoName string
	Doc    string
	Params []string
}

// OfMethod returns the names of a method that callers pass n arguments: without the object, when the method is a func
// without a receiver whose first parameter it is.
func (f *FuncNames) OfMethod(n int, context bool) *FuncNames {
	if context {
		n++
	}
	if len(f.Params) != n+1 {
		return f
	}
	made := *f
	made.Params = f.Params[1:]
	return &made
}

// FieldID makes the Go name and the registered name of a field comparable: lower case, no underscores.
func FieldID(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// ReadNames reads the registrations in the source of p: calls of Register, RegisterFunc and their Must forms whose name
// is a constant string. Other registrations are missing from the result; that is no error.
func ReadNames(p *Package, tags []string) (*Names, error) {
	src, err := parseSource(p, tags)
	if err != nil {
		return nil, err
	}
	names := &Names{Classes: map[string]*ClassNames{}, Functions: map[string]*FuncNames{}, Errors: map[string]ErrorNames{}, source: src}
	for _, file := range src.files {
		frontend := src.importName(file, FrontendPath)
		if frontend == "" {
			continue
		}
		names.Registers = true
		r := &reader{src: src, file: file, frontend: frontend, names: names}
		ast.Inspect(file, r.visit)
	}
	return names, nil
}

// reader collects the registrations of one file.
type reader struct {
	src      *source
	file     *ast.File
	frontend string
	names    *Names
}

func (r *reader) visit(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return true
	}
	switch name, typeArg := r.frontendCall(call); name {
	case "RegisterFunc", "MustRegisterFunc":
		if key, ok := r.src.stringValue(call.Args[0]); ok && len(call.Args) > 1 {
			f := r.src.function(r.file, call.Args[1], false)
			if doc := r.docOption(call.Args[2:]); doc != "" {
				if f == nil {
					f = &FuncNames{}
				}
				f.GoName, f.Doc = "", doc
			}
			if f != nil {
				r.names.Functions[key] = f
			}
		}
	case "RegisterErrorKind", "MustRegisterErrorKind":
		if len(call.Args) < 2 {
			break
		}
		if kind, ok := r.src.stringValue(call.Args[1]); ok {
			sentinel, _ := call.Args[0].(*ast.Ident)
			if sentinel == nil {
				sentinel = &ast.Ident{}
			}
			r.names.Errors[kind] = ErrorNames{r.src.docs[sentinel.Name], r.base(call.Args[2:])}
		}
	case "RegisterErrorType", "MustRegisterErrorType":
		if kind, ok := r.src.stringValue(call.Args[0]); ok {
			r.names.Errors[kind] = ErrorNames{Base: r.base(call.Args[1:])}
		}
	case "Register", "MustRegister":
		if key, ok := r.src.stringValue(call.Args[0]); ok && typeArg != nil {
			r.names.Classes[key] = r.class(typeArg, call.Args[1:])
		}
	}
	return true
}

// base returns the builtin exception that the last argument of a registration of errors names, "" without one.
func (r *reader) base(args []ast.Expr) string {
	if len(args) == 0 {
		return ""
	}
	text, _ := r.src.stringValue(args[0])
	return text
}

// docOption finds the option Doc of a function. The runtime keeps that text but has no call that returns it.
func (r *reader) docOption(options []ast.Expr) string {
	for _, option := range options {
		call, ok := option.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			continue
		}
		if name, _ := r.frontendCall(call); name == "Doc" {
			doc, _ := r.src.stringValue(call.Args[0])
			return doc
		}
	}
	return ""
}

// frontendCall returns the name of the frontend's function that is called, "" for other calls, and its first type
// argument.
func (r *reader) frontendCall(call *ast.CallExpr) (name string, typeArg ast.Expr) {
	fun := call.Fun
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun, typeArg = x.X, x.Index
	case *ast.IndexListExpr:
		fun, typeArg = x.X, x.Indices[0]
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return "", nil
	}
	if pkg, ok := sel.X.(*ast.Ident); !ok || pkg.Name != r.frontend {
		return "", nil
	}
	return sel.Sel.Name, typeArg
}

func (r *reader) class(typeArg ast.Expr, options []ast.Expr) *ClassNames {
	c := &ClassNames{Fields: map[string]string{}, Methods: map[string]*FuncNames{}}
	if id, ok := typeArg.(*ast.Ident); ok {
		if decl := r.src.types[id.Name]; decl != nil {
			c.Doc = decl.doc
			c.Fields = fieldComments(decl.spec)
		}
	}
	for _, option := range options {
		call, ok := option.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			continue
		}
		switch name, _ := r.frontendCall(call); name {
		case "Init":
			c.Init = r.src.function(r.file, call.Args[0], true)
		case "Method", "Static":
			key, ok := r.src.stringValue(call.Args[0])
			if !ok || len(call.Args) < 2 {
				continue
			}
			if f := r.src.function(r.file, call.Args[1], name == "Method"); f != nil {
				c.Methods[key] = f
			}
		}
	}
	return c
}

func fieldComments(spec *ast.TypeSpec) map[string]string {
	comments := map[string]string{}
	st, ok := spec.Type.(*ast.StructType)
	if !ok {
		return comments
	}
	for _, f := range st.Fields.List {
		text := strings.TrimSpace(f.Doc.Text())
		if text == "" {
			text = strings.TrimSpace(f.Comment.Text())
		}
		if text == "" {
			continue
		}
		for _, id := range f.Names {
			comments[FieldID(id.Name)] = text
		}
	}
	return comments
}

// source is the parsed source of one package.
type source struct {
	pkg       *Package
	tags      []string
	files     []*ast.File
	types     map[string]*typeDecl
	functions map[string]*ast.FuncDecl            // by name
	methods   map[string]map[string]*ast.FuncDecl // by type, then name
	values    map[string]ast.Expr                 // of package-level constants and variables
	docs      map[string]string                   // comments of package-level constants and variables
	imports   map[string]*source                  // by import path; nil: could not be read
	literals  map[string]*ast.FuncType            // func literals by file and line; nil: several on one line
}

type typeDecl struct {
	spec *ast.TypeSpec
	doc  string
}

func parseSource(p *Package, tags []string) (*source, error) {
	src := &source{
		pkg: p, tags: tags, types: map[string]*typeDecl{}, functions: map[string]*ast.FuncDecl{},
		methods: map[string]map[string]*ast.FuncDecl{}, values: map[string]ast.Expr{}, docs: map[string]string{}, imports: map[string]*source{},
		literals: map[string]*ast.FuncType{},
	}
	parsed, err := p.Syntax()
	if err != nil {
		return nil, err
	}
	src.files = parsed.Files
	for _, file := range src.files {
		for _, decl := range file.Decls {
			src.add(decl)
		}
		src.addLiterals(parsed.Set, file)
	}
	return src, nil
}

// addLiterals finds the func literals of a file.
func (s *source) addLiterals(fset *token.FileSet, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			at := fset.Position(lit.Pos())
			place := s.pkg.ImportPath + "/" + filepath.Base(at.Filename) + ":" + strconv.Itoa(at.Line)
			if _, taken := s.literals[place]; taken {
				s.literals[place] = nil
			} else {
				s.literals[place] = lit.Type
			}
		}
		return true
	})
}

func (s *source) add(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			s.functions[d.Name.Name] = d
			return
		}
		if len(d.Recv.List) != 1 {
			return // the compiler reports it
		}
		if t := typeName(d.Recv.List[0].Type); t != "" {
			if s.methods[t] == nil {
				s.methods[t] = map[string]*ast.FuncDecl{}
			}
			s.methods[t][d.Name.Name] = d
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch x := spec.(type) {
			case *ast.TypeSpec:
				doc := x.Doc
				if doc == nil {
					doc = d.Doc
				}
				s.types[x.Name.Name] = &typeDecl{spec: x, doc: strings.TrimSpace(doc.Text())}
			case *ast.ValueSpec:
				doc := x.Doc
				if doc == nil && len(d.Specs) == 1 {
					doc = d.Doc
				}
				if doc == nil {
					doc = x.Comment
				}
				for i, id := range x.Names {
					s.docs[id.Name] = strings.TrimSpace(doc.Text())
					if i < len(x.Values) && len(x.Names) == len(x.Values) {
						s.values[id.Name] = x.Values[i]
					}
				}
			}
		}
	}
}

// importName returns the name a file uses for an imported package, or "".
func (s *source) importName(file *ast.File, path string) string {
	for _, spec := range file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err != nil || p != path {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return filepath.Base(path)
	}
	return ""
}

// What a constant text may be made of. Names of constants that mean each other have no end, and each may double the next.
const (
	maxOperands = 1000
	maxText     = 1 << 16
)

// stringValue returns the value of a string literal, or of a package-level constant or variable that is one. It returns false
// for a text that is made of too much.
func (s *source) stringValue(e ast.Expr) (string, bool) {
	operands := 0
	return s.textOf(e, &operands)
}

func (s *source) textOf(e ast.Expr, operands *int) (string, bool) {
	if *operands++; *operands > maxOperands {
		return "", false
	}
	switch x := e.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			v, err := strconv.Unquote(x.Value)
			return v, err == nil
		}
	case *ast.BinaryExpr:
		a, ok := s.textOf(x.X, operands)
		if !ok || x.Op != token.ADD {
			return "", false
		}
		b, ok := s.textOf(x.Y, operands)
		return a + b, ok && len(a)+len(b) <= maxText
	case *ast.ParenExpr:
		return s.textOf(x.X, operands)
	case *ast.Ident:
		if v, ok := s.values[x.Name]; ok {
			return s.textOf(v, operands)
		}
	}
	return "", false
}

// typeName names the type in a receiver or a method expression: T, *T, T[P].
func typeName(e ast.Expr) string {
	switch x := WithoutTypes(e).(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.ParenExpr:
		return typeName(x.X)
	}
	return ""
}
