package gosource

import (
	"cmp"
	"go/ast"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyname"
)

// Texts is what an extension keeps of its source, so that it is there where the source is not. The keys are symbols: of
// a func its name in a program, such as example.com/geo.nearest or example.com/geo.(*Point).Norm; of a func literal its place,
// such as example.com/geo/geo.go:12; of a type example.com/geo.Point; of a field example.com/geo.Point. and its FieldID.
type Texts struct {
	Parameters map[string]string // of funcs, in Python's spelling, separated by blanks; "_" has no name
	Comments   map[string]string
}

// Texts returns the texts of the package, and of those packages of its module that it imports and that register nothing
// themselves.
func (n *Names) Texts() Texts {
	t := Texts{Parameters: map[string]string{}, Comments: map[string]string{}}
	src := n.source
	src.addTexts(&t)
	for _, path := range src.pkg.Imports {
		if !inModule(path, src.pkg) || path == FrontendPath {
			continue
		}
		if other := src.byPath(path); other != nil && !slices.Contains(other.pkg.Imports, FrontendPath) {
			other.addTexts(&t)
		}
	}
	return t
}

// inModule reports whether an import path is of the module that a package is of.
func inModule(path string, p *Package) bool {
	return p.Module != nil && (path == p.Module.Path || strings.HasPrefix(path, p.Module.Path+"/"))
}

// Registering returns the packages of p's module that p needs and that import the frontend, p among them. Packages that
// cannot be read are left out: the compiler reports them.
func Registering(p *Package) []*Package {
	found := []*Package{p}
	for _, path := range p.Deps {
		if !inModule(path, p) || path == FrontendPath || strings.HasPrefix(path, FrontendPath+"/") {
			continue
		}
		if other := p.needed[path]; other != nil && other.Error == nil && slices.Contains(other.Imports, FrontendPath) {
			found = append(found, other)
		}
	}
	return found
}

// addTexts adds what the package itself declares.
func (s *source) addTexts(t *Texts) {
	add := func(symbol string, f *FuncNames) {
		symbol = s.pkg.ImportPath + symbol
		if len(f.Params) > 0 {
			names := pyname.Parameters(f.Params)
			for i, name := range names {
				names[i] = cmp.Or(name, "_")
			}
			t.Parameters[symbol] = strings.Join(names, " ")
		}
		if f.Doc != "" {
			t.Comments[symbol] = f.Doc
		}
	}
	for symbol, decl := range s.declared() {
		add(symbol, declNames(decl, false))
	}
	for place, literal := range s.literals {
		if literal != nil {
			add(strings.TrimPrefix(place, s.pkg.ImportPath), literalNames(literal, false))
		}
	}
	for name, typ := range s.types {
		if typ.doc != "" {
			t.Comments[s.pkg.ImportPath+"."+name] = typ.doc
		}
		for field, text := range fieldComments(typ.spec) {
			t.Comments[s.pkg.ImportPath+"."+name+"."+field] = text
		}
	}
}

// declared returns the funcs and methods by their symbols. A method is under two where a value of the type has it too.
func (s *source) declared() iter.Seq2[string, *ast.FuncDecl] {
	return func(yield func(string, *ast.FuncDecl) bool) {
		for name, decl := range s.functions {
			if !yield("."+name, decl) {
				return
			}
		}
		for typ := range s.types {
			for name, decl := range s.methodSet(typ) {
				_, pointer := decl.Recv.List[0].Type.(*ast.StarExpr)
				if !yield(".(*"+typ+")."+name, decl) || !pointer && !yield("."+typ+"."+name, decl) {
					return
				}
			}
		}
	}
}

// methodSet returns the methods of a type, with those of the types that are embedded in it. When several have one name,
// it has the method of the type that is embedded least deeply, and of such types the last.
func (s *source) methodSet(typ string) map[string]*ast.FuncDecl {
	found := map[string]*ast.FuncDecl{}
	seen := map[string]bool{typ: true} // types may embed pointers to each other
	for level := []string{typ}; len(level) > 0; {
		var next []string
		methods := map[string]*ast.FuncDecl{}
		for _, name := range level {
			maps.Copy(methods, s.methods[name])
			for _, embedded := range s.embeddedIn(name) {
				if !seen[embedded] {
					seen[embedded] = true
					next = append(next, embedded)
				}
			}
		}
		for name, decl := range methods {
			if found[name] == nil {
				found[name] = decl
			}
		}
		level = next
	}
	return found
}

// embeddedIn returns the names of the types that a struct embeds.
func (s *source) embeddedIn(typ string) []string {
	decl := s.types[typ]
	if decl == nil {
		return nil
	}
	st, ok := decl.spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	var names []string
	for _, f := range st.Fields.List {
		if name := typeName(f.Type); len(f.Names) == 0 && name != "" {
			names = append(names, name)
		}
	}
	return names
}
