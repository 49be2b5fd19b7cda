package decide

import (
	"go/types"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// field is an exported field of a struct, or of a struct embedded in it.
type field struct {
	*types.Var
	owner string
}

// fields decides the fields of a class, which are properties.
func (d *Decider) fields(c *form.Class, s *types.Struct) {
	for _, f := range d.fieldsOf(c, s) {
		item := &form.Item{ID: c.Named.Obj().Name() + "." + f.Name()}
		name := d.renamed(item.ID, pythonName(f.Name()))
		if c.Names.Has(name) {
			name += "_"
		}
		item.Python = c.Names.Take(name)
		c.Members = append(c.Members, item)
		if d.omitted(item) {
			continue
		}
		d.owner = c.Go
		item.Form, item.Reason = d.property(c, f, item.Python)
		item.Doc = d.docOf(f.Name(), d.doc(f.Pkg(), f.owner+"."+f.Name()), nil)
	}
}

// property decides a field, which is a property.
func (d *Decider) property(c *form.Class, f field, python string) (form.Form, *reason.Reason) {
	made := &form.Property{Of: c, Go: f.Name(), Writable: true}
	as, err := d.value(f.Type(), f.Name())
	if p, ok := types.Unalias(f.Type()).(*types.Pointer); err != nil && ok && d.refers(p) {
		made.Get = form.Value{Type: p, Way: form.InPlace, Place: d.place(p.Elem())}
		made.Set = made.Get
		return made, nil
	}
	if err != nil {
		made.Writable, made.Get = false, form.Value{Type: f.Type(), Way: form.Anything}
		if channel := d.received(f.Type()); channel != nil {
			made.Get = form.Value{Type: channel}
		} else if d.writable(f.Type()) == nil {
			return nil, err
		}
		return made, nil
	}
	made.Get, made.Set, made.Writable = as, as, !c.Names.Has("set_"+python)
	made.Set.Letter = isLetter(as.Type)
	switch {
	case c.Kind == form.Pointer && as.Way == form.Same && d.shows(as.Type):
		made.Get = shown(as, form.ShownIn)
	// A context would be that of the call as the first parameter, and an error be raised as the only result.
	case isContext(as.Type) || isError(as.Type):
		made.Get.Way, made.Set.Way, made.Writable = form.Optional, form.Optional, true
	}
	return made, nil
}

// fieldsOf returns the exported fields of a struct and the promoted ones of those that it embeds.
func (d *Decider) fieldsOf(c *form.Class, s *types.Struct) []field {
	var found []field
	seen := map[string]bool{}
	var collect func(s *types.Struct, owner string, depth int)
	collect = func(s *types.Struct, owner string, depth int) {
		for f := range s.Fields() {
			if f.Exported() && !seen[f.Name()] {
				o, _, _ := types.LookupFieldOrMethod(types.NewPointer(c.Named), true, c.Named.Obj().Pkg(), f.Name())
				if o == types.Object(f) || c.Named.TypeArgs().Len() > 0 && depth == 0 {
					seen[f.Name()] = true
					found = append(found, field{f, owner})
				}
			}
		}
		for f := range s.Fields() {
			if !f.Embedded() || depth > 3 {
				continue
			}
			t := f.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			if n, ok := types.Unalias(t).(*types.Named); ok {
				if inner, ok := n.Underlying().(*types.Struct); ok {
					collect(inner, n.Obj().Name(), depth+1)
				}
			}
		}
	}
	collect(s, c.Named.Obj().Name(), 0)
	return found
}
