package decide

import (
	"cmp"
	"go/types"
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// methods decides the methods of a class.
func (d *Decider) methods(c *form.Class) {
	for selection := range methodsOf(c).Methods() {
		f, isFunc := selection.Obj().(*types.Func)
		sig, ok := selection.Type().(*types.Signature)
		if !isFunc || !ok || !f.Exported() {
			continue
		}
		if d.isText(c, f, sig) {
			continue
		}
		made := d.instancesOf(sig)
		if len(made) == 0 {
			d.member(c, f.Name(), "").Reason = reason.New(reason.NoInstances, "")
		}
		for i, of := range made {
			item := d.member(c, f.Name(), of.suffix)
			item.Counted = item.Counted && i == 0
			d.method(c, f, of, item)
		}
	}
}

// isText says whether a method is the __str__ of its class, which then stands for it, unless a rule gives the method a name.
func (d *Decider) isText(c *form.Class, f *types.Func, sig *types.Signature) bool {
	id := c.Named.Obj().Name() + "." + f.Name()
	if (f.Name() != "String" && f.Name() != "Error") || !isFunction(sig, "", "string") || d.rules.Names[id] != "" {
		return false
	}
	i := slices.IndexFunc(c.Members, func(m *form.Item) bool {
		o, ok := m.Form.(*form.Operation)
		return ok && m.Python == "__str__" && o.Go == f.Name()
	})
	if i < 0 {
		return false
	}
	c.Members[i].ID, c.Members[i].Counted = id, c.Target
	c.Members[i].Doc = cmp.Or(d.methodDoc(f, c, nil), c.Members[i].Doc)
	return true
}

// member adds an item for a method to a class. suffix is that of its Python name.
func (d *Decider) member(c *form.Class, name, suffix string) *form.Item {
	item := &form.Item{ID: c.Named.Obj().Name() + "." + name, Counted: c.Target}
	item.Python = c.Names.Take(d.renamed(item.ID, memberName(c, pythonName(name))) + suffix)
	c.Members = append(c.Members, item)
	return item
}

// method decides a method, or an instance of a generic one.
func (d *Decider) method(c *form.Class, f *types.Func, of instance, item *form.Item) {
	if d.omitted(item) {
		return
	}
	name := f.Name()
	d.owner = capital(c.Go) + name
	if reads(name, of.sig) {
		item.Form, item.Doc = &form.Reading{Of: c, Go: name, At: name == "ReadAt"}, d.methodDoc(f, c, nil)
		return
	}
	call, err := d.call(f, of, c)
	if err != nil {
		item.Reason = err
		return
	}
	d.stopping(call, c)
	item.Form, item.Doc, item.Notes = call, d.methodDoc(f, c, call), d.notes
}

// methodDoc returns the comment of a method, which may be promoted from an embedded type.
func (d *Decider) methodDoc(f *types.Func, c *form.Class, call *form.Call) string {
	recv := f.Signature().Recv()
	owner := c.Named.Obj().Name()
	if recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			owner = n.Obj().Name()
		}
	}
	return d.docOf(f.Name(), d.doc(f.Pkg(), owner+"."+f.Name()), call)
}
