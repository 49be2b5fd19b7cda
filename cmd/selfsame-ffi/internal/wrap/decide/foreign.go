package decide

import (
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyname"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// Types of packages that signatures only mention stand in submodules named after those packages, so that users find in the Python
// package what is its own. Contexts, which many calls take, and types for which a wrapped package has a name are its own.

// isApart says whether a type stands in the submodule of its package.
func (d *Decider) isApart(n *types.Named) bool {
	if !d.isForeign(n) || isContext(n) || d.aliasOf(n) != nil {
		return false
	}
	for p := range d.targets {
		for _, name := range p.Scope().Names() {
			o, ok := p.Scope().Lookup(name).(*types.TypeName)
			if ok && o.Exported() && o.IsAlias() && types.Identical(types.Unalias(o.Type()), n) {
				return false
			}
		}
	}
	return true
}

// submodule returns the submodule of a package that is not wrapped. Where something of the wrapped packages has its name, the folder
// that the package is in stands before it.
func (d *Decider) submodule(p *types.Package) *form.Submodule {
	if i := slices.IndexFunc(d.plan.Foreign, func(s *form.Submodule) bool { return s.Path == p.Path() }); i >= 0 {
		return d.plan.Foreign[i]
	}
	name := pythonName(p.Name())
	if d.isTaken(name) {
		folder := path.Base(path.Dir(p.Path()))
		if folder == "." { // of the standard library
			folder = "go"
		}
		name = strings.TrimLeft(pyname.Identifier(folder)+"_"+name, "_0123456789")
	}
	for d.isTaken(name) {
		name += "_"
	}
	s := &form.Submodule{Name: d.module.Take(name), Path: p.Path()}
	d.plan.Foreign = append(d.plan.Foreign, s)
	return s
}

// isTaken says whether the module has a name, or something that the wrapped packages export will have it.
func (d *Decider) isTaken(name string) bool {
	if d.module.Has(name) || name == d.plan.Name {
		return true
	}
	for symbol, python := range d.pythonNames() {
		for p := range d.targets {
			if python == name && p.Scope().Lookup(symbol) != nil {
				return true
			}
		}
	}
	return false
}

// takeApart gives a type a name in the submodule of its package.
func (d *Decider) takeApart(p *types.Package, name string) (submodule, taken string) {
	s := d.submodule(p)
	if d.apart[s] == nil {
		d.apart[s] = new(form.Names)
	}
	taken = d.apart[s].Take(pyname.Identifier(name))
	s.Names = append(s.Names, [2]string{taken, form.PrivateName(s.Name, taken)})
	return s.Name, taken
}
