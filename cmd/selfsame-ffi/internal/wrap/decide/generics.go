package decide

import (
	"go/types"
	"slices"
	"strings"
)

// instance is a generic func or method with type arguments, or one that is not generic.
type instance struct {
	sig    *types.Signature
	args   []types.Type
	suffix string // of the Python name
}

// candidates are the types that Python has, and what names call them.
var candidates = []struct {
	t    types.Type
	name string
}{
	{types.NewInterfaceType(nil, nil), ""},
	{types.Typ[types.Int], "int"}, {types.Typ[types.Float64], "float"}, {types.Typ[types.String], "str"},
	{types.Typ[types.Int64], "int"}, {types.Typ[types.Uint64], "int"}, {types.Typ[types.Bool], "bool"},
}

const maxInstances = 4

// choices returns the lists of type arguments with which a generic func or type is instantiated. A parameter whose constraint any
// value meets is `any`; one whose constraint is an interface of methods is that interface; one whose constraint is a slice, a map or
// the like of other parameters follows from those. The others are int, float, str and bool, a list for each: all the same type
// where that is possible.
func choices(of types.Type, params *types.TypeParamList) (lists [][]types.Type, names []string) {
	base, vary := make([]types.Type, params.Len()), []int{}
	for i := range base {
		switch own := params.At(i).Constraint(); {
		case composite(own) != nil:
		case !hasParams(own) && types.Satisfies(candidates[0].t, constraint(params.At(i))):
			base[i] = candidates[0].t
		case isMethods(own):
			base[i] = own
		default:
			vary = append(vary, i)
		}
	}
	try := func(list []types.Type, name string) {
		if len(lists) == maxInstances || slices.Contains(names, name) || !follow(params, list) {
			return
		}
		if _, err := types.Instantiate(nil, of, list, true); err == nil {
			lists, names = append(lists, list), append(names, name)
		}
	}
	if len(vary) == 0 {
		try(base, "")
		return lists, names
	}
	for _, c := range candidates[1:] {
		list := slices.Clone(base)
		for _, i := range vary {
			list[i] = c.t
		}
		try(list, c.name)
	}
	if len(lists) > 0 {
		return lists, names
	}
	var name []string
	for _, i := range vary { // each parameter by itself
		for _, c := range candidates[1:] {
			if !hasParams(params.At(i).Constraint()) && types.Satisfies(c.t, constraint(params.At(i))) {
				base[i], name = c.t, append(name, c.name)
				break
			}
		}
		if base[i] == nil {
			return nil, nil
		}
	}
	try(base, strings.Join(name, "_"))
	return lists, names
}

func constraint(p *types.TypeParam) *types.Interface {
	i, ok := p.Constraint().Underlying().(*types.Interface)
	if !ok {
		return types.NewInterfaceType(nil, nil)
	}
	return i
}

// isMethods says whether a constraint is an interface of methods with a name, which is a type of values too.
func isMethods(constraint types.Type) bool {
	n, ok := types.Unalias(constraint).(*types.Named)
	if !ok || n.TypeArgs().Len() > 0 {
		return false
	}
	i, ok := n.Underlying().(*types.Interface)
	return ok && i.IsMethodSet() && i.NumMethods() > 0
}

// composite returns the slice, map or the like that a constraint such as ~[]T demands, nil for others.
func composite(constraint types.Type) types.Type {
	i, ok := constraint.Underlying().(*types.Interface)
	if !ok || i.NumEmbeddeds() != 1 || i.NumExplicitMethods() > 0 {
		return nil
	}
	t := i.EmbeddedType(0)
	if u, ok := types.Unalias(t).(*types.Union); ok {
		if u.Len() != 1 {
			return nil
		}
		t = u.Term(0).Type()
	}
	switch u := types.Unalias(t).(type) {
	case *types.Slice, *types.Map, *types.Array, *types.Pointer, *types.Chan, *types.Signature:
		return u
	case *types.Named:
		if types.IsInterface(u) {
			return composite(u)
		}
	}
	return nil
}

// follow gives those type parameters their arguments that follow from others, and says whether all have one.
func follow(params *types.TypeParamList, list []types.Type) bool {
	for range list {
		for i := range list {
			if list[i] == nil {
				list[i] = substituted(composite(params.At(i).Constraint()), params, list)
			}
		}
	}
	return !slices.Contains(list, nil)
}

// instancesOf returns the instances of a generic func or method, and a func that is not generic as it is.
func (d *Decider) instancesOf(sig *types.Signature) []instance {
	if sig.TypeParams().Len() == 0 {
		return []instance{{sig: sig}}
	}
	lists, names := choices(sig, sig.TypeParams())
	var made []instance
	for i, list := range lists {
		t, err := types.Instantiate(types.NewContext(), sig, list, true)
		if err != nil {
			continue
		}
		suffix := ""
		if names[i] != "" && len(lists) > 1 {
			suffix = "_" + names[i]
		}
		made = append(made, instance{sig: t.(*types.Signature), args: list, suffix: suffix})
	}
	return made
}

// instances returns a type that is not generic itself, and the instances of one that is.
func (d *Decider) instances(n *types.Named) []*types.Named {
	if n.TypeParams().Len() == 0 {
		return []*types.Named{n}
	}
	lists, _ := choices(n, n.TypeParams())
	var made []*types.Named
	for _, list := range lists {
		t, err := types.Instantiate(types.NewContext(), n, list, true)
		if instance, ok := t.(*types.Named); err == nil && ok {
			made = append(made, instance)
		}
	}
	return made
}
