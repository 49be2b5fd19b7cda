package decide

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// maxDepth is how far from a wrapped package a type's members are bound; the objects of those further off are only passed on.
const maxDepth = 2

// newClass makes the class of a named type and queues its members.
func (d *Decider) newClass(n *types.Named, kind form.Kind) *form.Class {
	o := n.Obj()
	name := d.typeName(n)
	if name == o.Name() {
		name += typeSuffix(n.TypeArgs())
	}
	if alias := d.aliasOf(n); alias != nil {
		name = alias.Name()
	}
	if isGenerated(o.Pkg()) {
		name = capital(name)
	}
	if d.targets[o.Pkg()] && hasException(n) {
		if name == o.Name() {
			name = errorTypeName(n)
		}
		name += "Value" // the name is the exception's
	}
	path, goName := "", ""
	if d.isApart(n) {
		of, taken := d.takeApart(o.Pkg(), name)
		path, goName = of+"."+taken, capital(of)+taken
	} else {
		path = d.take(o.Pkg(), name)
		goName = path
	}
	c := &form.Class{
		Kind: kind, Named: n, Go: d.structs.Take(goName), Key: d.plan.Name + "." + path, Target: d.targets[o.Pkg()], Depth: d.depth + 1,
	}
	if c.Target {
		c.Depth = 0
	}
	if d.constructed {
		d.describe(c)
	}
	if kind == form.Pointer {
		c.Enum = d.enum(n)
		c.ByValue = c.Enum != nil || d.isValue(n)
	}
	c.Shared = isContext(n) || d.isShared(n, d.doc(o.Pkg(), o.Name()))
	d.classes[types.TypeString(n, nil)] = c
	d.plan.Classes = append(d.plan.Classes, c)
	d.queue = append(d.queue, c)
	return c
}

// describe puts the comment of a class's type before the rest of its doc.
func (d *Decider) describe(c *form.Class) {
	o, shown := c.Named.Obj(), types.Type(c.Named)
	if o.Pkg() == d.own { // it has no name in Go
		shown = c.Named.Underlying()
	}
	text := cmp.Or(d.doc(o.Pkg(), d.typeName(c.Named)), d.doc(o.Pkg(), o.Name()))
	c.Doc = cmp.Or(d.pythonDoc(text), fmt.Sprintf("The Go type %s.", types.TypeString(shown, shortly))) + c.Doc
}

func implementsError(n *types.Named) bool {
	return types.Implements(types.NewPointer(n), errorInterface)
}

// hasException says whether values of an exported type are errors, which have an exception of its name: also of an interface of errors.
func hasException(n *types.Named) bool {
	return implementsError(n) || types.IsInterface(n) && types.Implements(n, errorInterface)
}

// typesOf makes the classes of the exported types of a wrapped package, the error types apart.
func (d *Decider) typesOf(p *types.Package) {
	names := p.Scope().Names()
	slices.Sort(names)
	var found []*types.Named
	for _, name := range names {
		o, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || !o.Exported() || d.rules.Omits(name) {
			continue
		}
		n, ok := types.Unalias(o.Type()).(*types.Named)
		if !ok || o.IsAlias() && (n.TypeArgs().Len() == 0 || !d.targets[n.Obj().Pkg()] || hasTypeParams(o)) {
			continue
		}
		found = append(found, n)
	}
	for _, n := range found { // those of the package have the first choice of names
		for _, instance := range d.instances(n) {
			_ = d.namedCrosses(instance)
		}
	}
}

// hasTypeParams says whether an alias is generic itself.
func hasTypeParams(o *types.TypeName) bool {
	alias, ok := o.Type().(*types.Alias)
	return ok && alias.TypeParams().Len() > 0
}

// members decides the members of a class.
func (d *Decider) members(c *form.Class) {
	if isContext(c.Named) {
		d.contextClass(c)
		return
	}
	if c.Depth > maxDepth && !d.isContainer(c.Named) && c.Named.Obj().Pkg().Path() != "io/fs" {
		return // of a file system one needs what it says of its files
	}
	d.special(c)
	d.methods(c)
	if c.Kind == form.Interface {
		d.adapter(c)
		if isPath(c.Named, "io/fs", "FS") && c.Adapter.Reason == nil {
			d.folder(c)
		}
		return
	}
	if s, ok := c.Named.Underlying().(*types.Struct); ok {
		d.fields(c, s)
	}
	d.zero(c)
}

// isContainer says whether a type is a map, a slice or a basic value of plain values, as http.Header is. Such a type has members
// however far from a wrapped package it is: without them nobody could make one.
func (d *Decider) isContainer(n *types.Named) bool {
	switch n.Underlying().(type) {
	case *types.Map, *types.Slice, *types.Basic:
		return d.isPlain(n.Underlying())
	}
	return false
}

// renamed returns the Python name that the rules give to an item, name without one.
func (d *Decider) renamed(id, name string) string { return cmp.Or(d.rules.Names[id], name) }

// omitted notes that the rules leave an item out.
func (d *Decider) omitted(item *form.Item) bool {
	if d.rules.Omits(item.ID) {
		item.Reason = reason.New(reason.Omitted, "")
		return true
	}
	return false
}

// isObject says whether a named type has a class.
func (d *Decider) isObject(n *types.Named) bool { return d.classes[types.TypeString(n, nil)] != nil }
