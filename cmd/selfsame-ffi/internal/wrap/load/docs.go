package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// Docs has the comments of a package.
type Docs struct {
	Package string
	// Of are the comments of what the package declares, by name: Func, Type, Type.Method, Type.Field, Const.
	Of map[string]string
	// Order says where a constant or variable stands in the source.
	Order map[string]int
	// Same has the variables that are another one: ErrMissing of `var ErrMissing = os.ErrNotExist` is os.ErrNotExist, with the path of
	// the package in front, and that of `var ErrMissing = ErrGone` is ErrGone.
	Same map[string]string
	// Shifted has the constants that are written as a number shifted by another, as 1 << iota, and Scaled those that are computed
	// of another constant by a product or a shift, as 60 * Second.
	Shifted, Scaled map[string]bool
	// Returns are those of the funcs and methods, by name as in Of.
	Returns map[string]Returns
}

// ReadDocs reads the comments of Go files. Files that cannot be parsed have none.
func ReadDocs(files []string) *Docs {
	d := &Docs{Of: map[string]string{}, Order: map[string]int{}, Same: map[string]string{}, Returns: map[string]Returns{}, Shifted: map[string]bool{}, Scaled: map[string]bool{}}
	set := token.NewFileSet()
	for _, name := range files {
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		if text := file.Doc.Text(); len(text) > len(d.Package) {
			d.Package = text
		}
		imported := importsOf(file)
		for _, decl := range file.Decls {
			d.add(decl, imported)
		}
	}
	return d
}

// importsOf returns the paths of the packages that a file imports by the names that it has for them.
func importsOf(file *ast.File) map[string]string {
	paths := map[string]string{}
	for _, i := range file.Imports {
		of, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(of)
		if i.Name != nil {
			name = i.Name.Name
		}
		paths[name] = of
	}
	return paths
}

// sameAs names the variable that an expression is, "" for other expressions.
func sameAs(e ast.Expr, imported map[string]string) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok && imported[id.Name] != "" {
			return imported[id.Name] + "." + x.Sel.Name
		}
	}
	return ""
}

func (d *Docs) add(decl ast.Decl, imported map[string]string) {
	switch x := decl.(type) {
	case *ast.FuncDecl:
		name := x.Name.Name
		if x.Recv != nil && len(x.Recv.List) > 0 {
			name = receiver(x.Recv.List[0].Type) + "." + name
		}
		d.put(name, x.Doc.Text())
		d.Returns[name] = returnsOf(x)
	case *ast.GenDecl:
		var repeated []ast.Expr // what a constant without a value has
		for _, spec := range x.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				text := s.Doc.Text()
				if text == "" {
					text = x.Doc.Text()
				}
				d.put(s.Name.Name, text)
				d.members(s)
			case *ast.ValueSpec:
				text := s.Doc.Text()
				if text == "" {
					text = s.Comment.Text()
				}
				if text == "" && len(x.Specs) == 1 {
					text = x.Doc.Text()
				}
				if len(s.Values) > 0 {
					repeated = s.Values
				}
				for i, id := range s.Names {
					if x.Tok == token.CONST && i < len(repeated) {
						d.computed(id.Name, repeated[i])
					}
					d.put(id.Name, text)
					d.Order[id.Name] = len(d.Order)
					if len(s.Values) != len(s.Names) {
						continue
					}
					if same := sameAs(s.Values[i], imported); same != "" {
						d.Same[id.Name] = same
					}
				}
			}
		}
	}
}

// computed notes how the value of a constant is written.
func (d *Docs) computed(name string, value ast.Expr) {
	ast.Inspect(value, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || b.Op != token.SHL && b.Op != token.MUL {
			return true
		}
		switch {
		case names(b.X) || b.Op == token.MUL && names(b.Y):
			d.Scaled[name] = true
		case b.Op == token.SHL:
			d.Shifted[name] = true
		}
		return true
	})
}

// names says whether an expression is the name of a constant, or one that has been computed.
func names(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name != "iota"
	case *ast.ParenExpr:
		return names(x.X)
	case *ast.SelectorExpr:
		return true
	}
	return false
}

// members adds the fields of a struct and the methods of an interface.
func (d *Docs) members(s *ast.TypeSpec) {
	var list *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return
	}
	for _, f := range list.List {
		text := f.Doc.Text()
		if text == "" {
			text = f.Comment.Text()
		}
		for _, id := range f.Names {
			d.put(s.Name.Name+"."+id.Name, text)
		}
	}
}

func (d *Docs) put(name, text string) {
	if text = strings.TrimSpace(text); text != "" {
		d.Of[name] = text
	}
}

func receiver(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.ParenExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
