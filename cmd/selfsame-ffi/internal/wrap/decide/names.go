package decide

import (
	"fmt"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyname"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// scope has the names of one namespace.
type scope struct{ taken map[string]bool }

func newScope() *scope { return &scope{taken: map[string]bool{}} }

// take returns the name, with a number behind it if it is taken.
func (s *scope) take(name string) string {
	unique := name
	for i := 2; s.taken[unique]; i++ {
		unique = name + "_" + strconv.Itoa(i)
	}
	s.taken[unique] = true
	return unique
}

func (s *scope) has(name string) bool { return s.taken[name] }

// take gives something of a wrapped package a name in the Python module. Where another package has the name, that of the package
// stands before it.
func (d *Decider) take(p *types.Package, name string) string {
	name = pyname.Identifier(name)
	at := slices.IndexFunc(d.plan.Submodules, func(s *Submodule) bool { return s.Path == p.Path() })
	if at < 0 {
		return d.module.take(name)
	}
	whole := name
	if d.module.has(name) {
		switch prefix := d.plan.Submodules[at].Name; {
		case strings.ToUpper(name) == name:
			whole = strings.ToUpper(prefix) + "_" + name
		case strings.ToLower(name[:1]) == name[:1]:
			whole = prefix + "_" + name
		default:
			whole = capital(prefix) + name
		}
	}
	whole = d.module.take(whole)
	d.plan.Submodules[at].Names = append(d.plan.Submodules[at].Names, [2]string{name, whole})
	return whole
}

// pythonName returns the Python name of a func, method or field.
func pythonName(goName string) string { return pyname.Identifier(naming.Snake(goName)) }

// constantName returns the Python name of a constant.
func constantName(goName string) string { return strings.ToUpper(naming.Snake(goName)) }

// Imports has what the generated files call the packages that they use.
type Imports struct {
	names map[string]string // import path: name
	taken map[string]bool
}

func newImports() *Imports { return &Imports{names: map[string]string{}, taken: map[string]bool{}} }

// Name returns what the files call a package.
func (i *Imports) Name(p *types.Package) string {
	if isGenerated(p) {
		return ""
	}
	if name := i.names[p.Path()]; name != "" {
		return name
	}
	name := "go" + strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' {
			return -1
		}
		return r
	}, strings.ToLower(p.Name()))
	for n := 2; i.taken[name]; n++ {
		name = fmt.Sprintf("go%s%d", strings.ToLower(p.Name()), n)
	}
	i.names[p.Path()], i.taken[name] = name, true
	return name
}

// Paths returns the import paths in order.
func (i *Imports) Paths() []string {
	return slices.Sorted(maps.Keys(i.names))
}

// Of returns the name of an import path.
func (i *Imports) Of(path string) string { return i.names[path] }

// text writes a type as the generated package does. A type that has another name elsewhere only, as an alias, gets that.
func (d *Decider) text(t types.Type) string {
	if len(d.aliases) == 0 {
		return types.TypeString(t, d.plan.Imports.Name)
	}
	packages := map[string]*types.Package{}
	text := types.TypeString(t, func(p *types.Package) string {
		if !d.aliased[p] {
			return d.plan.Imports.Name(p)
		}
		packages[p.Path()] = p
		return "<" + p.Path() + ">"
	})
	return markedName.ReplaceAllStringFunc(text, func(found string) string {
		parts := markedName.FindStringSubmatch(found)
		p := packages[parts[1]]
		if alias := d.aliases[parts[1]+"."+parts[2]]; alias != nil {
			return d.plan.Imports.Name(alias.Pkg()) + "." + alias.Name()
		}
		return d.plan.Imports.Name(p) + "." + parts[2]
	})
}

// markedName is a package's path in brackets, and a name of the package.
var markedName = regexp.MustCompile(`<([^<>-][^<>]*)>\.(\w+)`)

// findAliases notes the exported aliases of types that have no other name outside of their package.
func (d *Decider) findAliases(p *types.Package) {
	for _, name := range p.Scope().Names() {
		o, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || !o.Exported() || !o.IsAlias() {
			continue
		}
		n, ok := types.Unalias(o.Type()).(*types.Named)
		if !ok || n.TypeArgs().Len() > 0 || n.TypeParams().Len() > 0 || n.Obj().Pkg() == nil || d.nameable(n) == nil {
			continue
		}
		d.aliases[n.Obj().Pkg().Path()+"."+n.Obj().Name()] = o
		d.aliased[n.Obj().Pkg()] = true
	}
}

// aliasOf returns the alias by which a type is known outside of its package, nil when it needs none.
func (d *Decider) aliasOf(n *types.Named) *types.TypeName {
	if n.Obj().Pkg() == nil {
		return nil
	}
	return d.aliases[n.Obj().Pkg().Path()+"."+n.Obj().Name()]
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// PackageName returns the Python name of a Go package, by its import path.
func PackageName(importPath string) string {
	name := path.Base(importPath)
	if majorVersion.MatchString(name) {
		name = path.Base(path.Dir(importPath))
	}
	name = regexp.MustCompile(`\.v[0-9]+$`).ReplaceAllString(name, "")
	name = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "go-"), "golang-"), "-go")
	name = strings.TrimSuffix(name, ".go")
	return pyname.Identifier(strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(name)))
}

// typeSuffix names the type arguments of an instance, but for any.
func typeSuffix(args *types.TypeList) string {
	var b strings.Builder
	for t := range args.Types() {
		name := types.TypeString(t, func(*types.Package) string { return "" })
		name = strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
				return r
			}
			return -1
		}, strings.ReplaceAll(name, "interface{}", "any"))
		if name == "any" {
			continue
		}
		b.WriteString(strings.ToUpper(name[:1]) + name[1:])
	}
	return b.String()
}
