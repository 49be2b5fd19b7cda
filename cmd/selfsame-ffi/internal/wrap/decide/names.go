package decide

import (
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyname"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// take gives something of a wrapped package a name in the Python module. Where another package has the name, that of the package
// stands before it.
func (d *Decider) take(p *types.Package, name string) string {
	name = pyname.Identifier(name)
	at := slices.IndexFunc(d.plan.Submodules, func(s *form.Submodule) bool { return s.Path == p.Path() })
	if at < 0 {
		return d.module.Take(name)
	}
	whole := name
	if d.module.Has(name) {
		_, isType := p.Scope().Lookup(name).(*types.TypeName)
		switch prefix := d.plan.Submodules[at].Name; {
		case strings.ToUpper(name) == name && !isType:
			whole = strings.ToUpper(prefix) + "_" + name
		case strings.ToLower(name[:1]) == name[:1]:
			whole = prefix + "_" + name
		default:
			whole = capital(prefix) + name
		}
	}
	whole = d.module.Take(whole)
	d.plan.Submodules[at].Names = append(d.plan.Submodules[at].Names, [2]string{name, whole})
	return whole
}

// pythonName returns the Python name of a func, method or field.
func pythonName(goName string) string { return pyname.Identifier(naming.Snake(goName)) }

// constantName returns the Python name of a constant.
func constantName(goName string) string { return strings.ToUpper(naming.Snake(goName)) }

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
		d.plan.Aliases[n.Obj().Pkg().Path()+"."+n.Obj().Name()] = o
	}
}

// aliasOf returns the alias by which a type is known outside of its package, nil when it needs none.
func (d *Decider) aliasOf(n *types.Named) *types.TypeName {
	if n.Obj().Pkg() == nil {
		return nil
	}
	return d.plan.Aliases[n.Obj().Pkg().Path()+"."+n.Obj().Name()]
}

// typeName returns the name of a type in Go: of an instance of a generic type the one that a wrapped package declares for it, as in
// type Feature = FeatureOf[Properties].
func (d *Decider) typeName(n *types.Named) string {
	if n.TypeArgs().Len() > 0 {
		for _, p := range d.world.Packages {
			for _, name := range p.Types.Scope().Names() {
				o, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
				if ok && o.Exported() && o.IsAlias() && types.Identical(types.Unalias(o.Type()), n) {
					return name
				}
			}
		}
	}
	return n.Obj().Name()
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
