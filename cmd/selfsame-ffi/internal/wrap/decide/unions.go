package decide

import (
	"go/types"
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// maxUnions is how many unions of interfaces a package has at most. Each is a type with its methods.
const maxUnions = 100

// unions decides the unions of interfaces whose Python classes Go code finds to be both: for x.(B) of an A, an object of a class that
// derives from A and B needs a Go value with the methods of both.
func (d *Decider) unions() {
	var asked []*form.Class // of which Go code asks
	for _, p := range d.world.Packages {
		asserted := d.bodies.Asserted(p.Types.Path())
		for _, c := range d.plan.Classes {
			if implementable(c) && asserted[types.TypeString(c.Named, nil)] && !slices.Contains(asked, c) {
				asked = append(asked, c)
			}
		}
	}
	var all []*form.Union
	add := func(of ...*form.Class) {
		if u := unionOf(of); u != nil && !slices.ContainsFunc(all, func(known *form.Union) bool { return sameClasses(known.Of, of) }) {
			all = append(all, u)
		}
	}
	for _, first := range d.plan.Classes {
		if !implementable(first) || !first.Target {
			continue
		}
		for i, second := range asked {
			if second == first {
				continue
			}
			add(first, second)
			for _, third := range asked[i+1:] {
				if third != first && len(asked) <= 3 {
					add(first, second, third)
				}
			}
		}
	}
	all = all[:min(len(all), maxUnions)]
	slices.SortStableFunc(all, func(a, b *form.Union) int { return b.Methods - a.Methods }) // the largest that fits counts
	d.plan.Unions = all
}

// implementable says whether Python classes can implement the interface of a class.
func implementable(c *form.Class) bool { return c.Kind == form.Interface && c.Adapter.IsWritten() }

func sameClasses(a, b []*form.Class) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(c *form.Class) bool { return !slices.Contains(b, c) })
}

// unionOf returns the union of interfaces, nil where one has all methods of another, or another method of a name.
func unionOf(classes []*form.Class) *form.Union {
	made := &form.Union{Of: classes}
	known := map[string]form.Implemented{}
	for _, c := range classes {
		if slices.ContainsFunc(classes, func(other *form.Class) bool {
			return other != c && types.Implements(c.Named, other.Named.Underlying().(*types.Interface))
		}) {
			return nil
		}
		for _, m := range c.Adapter.Form.(*form.Implementation).Methods {
			other, has := known[m.Func.Name()]
			switch {
			case !has:
				known[m.Func.Name()] = m
			case m.Special != form.Ordinary || m.Python != other.Python || !types.Identical(m.Func.Signature(), other.Func.Signature()):
				return nil
			case !slices.ContainsFunc(made.Both, func(b form.Implemented) bool { return b.Func.Name() == m.Func.Name() }):
				made.Both = append(made.Both, m)
			}
		}
	}
	made.Methods = len(known)
	return made
}
