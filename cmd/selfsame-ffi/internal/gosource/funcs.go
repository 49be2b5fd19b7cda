package gosource

import (
	"go/ast"
	"strconv"
	"strings"
)

// function reads the names of the function that an expression denotes. The expression is a function literal, a function
// of the package or of an imported one, or a method expression. object says that the first parameter of a function
// without a receiver is the object. The result is nil for any other expression.
func (s *source) function(file *ast.File, e ast.Expr, object bool) *FuncNames {
	switch x := WithoutTypes(e).(type) {
	case *ast.ParenExpr:
		return s.function(file, x.X, object)
	case *ast.FuncLit:
		return literalNames(x.Type, object)
	case *ast.Ident:
		if decl := s.functions[x.Name]; decl != nil {
			return declNames(decl, object)
		}
		if lit, ok := s.values[x.Name].(*ast.FuncLit); ok {
			return literalNames(lit.Type, object)
		}
	case *ast.SelectorExpr:
		return s.selected(file, x, object)
	}
	return nil
}

// selected reads T.Method, (*T).Method and package.Function.
func (s *source) selected(file *ast.File, x *ast.SelectorExpr, object bool) *FuncNames {
	if t := typeName(x.X); t != "" && s.types[t] != nil {
		if decl := s.method(t, x.Sel.Name); decl != nil {
			return declNames(decl, false)
		}
		return nil
	}
	id, ok := x.X.(*ast.Ident)
	if !ok {
		return nil
	}
	if imported := s.imported(file, id.Name); imported != nil {
		if decl := imported.functions[x.Sel.Name]; decl != nil {
			return declNames(decl, object)
		}
	}
	return nil
}

// method finds a method of a type, or of a type embedded in it.
func (s *source) method(typ, name string) *ast.FuncDecl {
	return s.methodSet(typ)[name]
}

// imported parses the package that a file imports under this name, once. The result is nil if it cannot be read: the
// names are optional, and the compiler reports a bad import.
func (s *source) imported(file *ast.File, name string) *source {
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || path == "C" {
			continue
		}
		if spec.Name != nil && spec.Name.Name != name {
			continue
		}
		if spec.Name == nil && !strings.Contains(path, name) {
			continue
		}
		src := s.byPath(path)
		if src != nil && (spec.Name != nil || src.pkg.Name == name) {
			return src
		}
	}
	return nil
}

// byPath parses the package with an import path, once. The result is nil if it cannot be read.
func (s *source) byPath(path string) *source {
	src, seen := s.imports[path]
	if !seen {
		p := s.pkg.needed[path]
		if p == nil {
			if pkgs, err := list(s.pkg.Dir, s.tags, path); err == nil {
				p = pkgs[0]
			}
		}
		if p != nil && p.Error == nil {
			src, _ = parseSource(p, s.tags)
		}
		s.imports[path] = src
	}
	return src
}

func declNames(decl *ast.FuncDecl, object bool) *FuncNames {
	f := literalNames(decl.Type, object)
	f.GoName = decl.Name.Name
	f.Doc = strings.TrimSpace(decl.Doc.Text())
	return f
}

func literalNames(typ *ast.FuncType, object bool) *FuncNames {
	f := &FuncNames{}
	for _, field := range typ.Params.List {
		if len(field.Names) == 0 {
			f.Params = append(f.Params, "")
		}
		for _, id := range field.Names {
			name := id.Name
			if name == "_" {
				name = ""
			}
			f.Params = append(f.Params, name)
		}
	}
	if object && len(f.Params) > 0 {
		f.Params = f.Params[1:]
	}
	return f
}
