package wrap

import (
	"go/types"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyname"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/scaffold"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// described says what the first README and the first tests are about.
func (o *Options) described(p *form.Plan) *scaffold.Wrapped {
	w := &scaffold.Wrapped{Path: o.Sources[0].Path}
	for _, s := range o.Sources {
		if s.Folder == "" && !isStandard(s.Path) {
			w.Again = strings.TrimSpace(w.Again + " " + s.Path + "@VERSION")
		}
	}
	w.Name, w.Dist, w.Release, w.Replace = o.Name, o.Dist, o.Release, o.Replace
	most := -1
	for _, c := range p.Classes {
		if !c.Target || private(c.InPackage()) {
			continue
		}
		class := scaffold.Class{Name: c.InPackage(), Made: madeOfNothing(c), Members: membersOf(c)}
		w.Classes = append(w.Classes, class)
		if class.Made && len(class.Members) > most {
			most = len(class.Members)
			w.Example = &scaffold.Example{Variable: pyname.Identifier(naming.Snake(class.Name)), Class: class.Name}
		}
	}
	if w.Example != nil && w.Example.Variable == o.Name {
		w.Example.Variable = "made"
	}
	for _, i := range p.Functions {
		if _, called := i.Form.(*form.Call); called && i.IsWritten() && !private(i.Python) {
			w.Functions = append(w.Functions, i.Python)
		}
	}
	return w
}

func private(name string) bool { return strings.HasPrefix(name, "_") || strings.Contains(name, ".") }

// membersOf returns the public names that a class has for sure.
func membersOf(c *form.Class) []string {
	var names []string
	if c.Enum != nil {
		for _, m := range c.Enum.Members {
			names = append(names, m.Python)
		}
		return names
	}
	for _, i := range c.Members {
		if i.IsWritten() && !private(i.Python) {
			names = append(names, i.Python)
		}
	}
	return names
}

// madeOfNothing reports whether a call of the class without arguments makes an object and cannot fail.
func madeOfNothing(c *form.Class) bool {
	if !c.Init.IsWritten() || c.Enum != nil {
		return false
	}
	switch f := c.Init.Form.(type) {
	case *form.Zero:
		return true
	case *form.Conversion:
		switch u := c.Named.Underlying().(type) {
		case *types.Map:
			return true
		case *types.Slice:
			b, ok := u.Elem().(*types.Basic)
			return !ok || b.Kind() != types.Byte
		}
	case *form.Constructor:
		for _, p := range f.Params {
			if !p.MayBeLeft && !p.Rest || p.Needed {
				return false
			}
		}
		return !f.Results.Fails
	}
	return false
}
