package decide

import (
	"go/types"
	"strings"
)

// instance is a generic func with type arguments.
type instance struct {
	sig    *types.Signature
	args   string // as Go writes them: [int, string]
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

// choices returns the lists of type arguments with which a generic func or type is instantiated. There is one list of `any` where
// the constraints allow it, otherwise one for each of int, float, str and bool. All parameters have the same type where that is
// possible. A constraint that is an interface with methods is its own argument.
func choices(params *types.TypeParamList) (lists [][]types.Type, names []string) {
	try := func(list []types.Type, name string) {
		if len(lists) == maxInstances || contains(names, name) || !satisfies(params, list) {
			return
		}
		lists, names = append(lists, list), append(names, name)
	}
	same := func(t types.Type) []types.Type {
		list := make([]types.Type, params.Len())
		for i := range list {
			list[i] = t
		}
		return list
	}
	for _, c := range candidates {
		try(same(c.t), c.name)
		if c.name == "" && len(lists) == 1 && allAny(params) {
			return lists, names
		}
	}
	if len(lists) > 0 {
		return lists, names
	}
	list, name := make([]types.Type, params.Len()), make([]string, params.Len()) // each parameter by itself
	for i := range list {
		for _, c := range candidates {
			list[i] = c.t
			if types.Satisfies(c.t, constraint(params.At(i))) {
				name[i] = c.name
				break
			}
			list[i] = nil
		}
		if own := params.At(i).Constraint(); list[i] == nil && isMethods(own) {
			list[i] = own
		}
		if list[i] == nil {
			return nil, nil
		}
	}
	try(list, strings.Trim(strings.Join(name, "_"), "_"))
	return lists, names
}

func constraint(p *types.TypeParam) *types.Interface {
	i, ok := p.Constraint().Underlying().(*types.Interface)
	if !ok {
		return types.NewInterfaceType(nil, nil)
	}
	return i
}

func allAny(params *types.TypeParamList) bool {
	for p := range params.TypeParams() {
		if !constraint(p).Empty() {
			return false
		}
	}
	return true
}

// satisfies checks type arguments by instantiating a func of the parameters with them.
func satisfies(params *types.TypeParamList, list []types.Type) bool {
	for i, t := range list {
		c := constraint(params.At(i))
		if c.IsComparable() && !types.Comparable(t) {
			return false
		}
		if types.Identical(t, params.At(i).Constraint()) {
			continue
		}
		if _, isInterface := t.(*types.Interface); isInterface && (!c.IsMethodSet() || c.NumMethods() > 0 || c.IsComparable()) {
			return false
		}
		if !mentionsParams(c) && !types.Satisfies(t, c) {
			return false
		}
	}
	return true
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

func mentionsParams(c *types.Interface) bool { return !c.Empty() && strings.Contains(c.String(), "$") }

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// funcInstances returns the instances of a generic func.
func (d *Decider) funcInstances(f *types.Func) []instance {
	lists, names := choices(f.Signature().TypeParams())
	var made []instance
	for i, list := range lists {
		t, err := types.Instantiate(types.NewContext(), f.Signature(), list, true)
		if err != nil {
			continue
		}
		texts := make([]string, len(list))
		for k, arg := range list {
			texts[k] = d.text(arg)
		}
		suffix := ""
		if names[i] != "" && len(lists) > 1 {
			suffix = "_" + names[i]
		}
		made = append(made, instance{sig: t.(*types.Signature), args: "[" + strings.Join(texts, ", ") + "]", suffix: suffix})
	}
	return made
}

// instances returns a type that is not generic itself, and the instances of one that is.
func (d *Decider) instances(n *types.Named) []*types.Named {
	if n.TypeParams().Len() == 0 {
		return []*types.Named{n}
	}
	lists, _ := choices(n.TypeParams())
	var made []*types.Named
	for _, list := range lists {
		t, err := types.Instantiate(types.NewContext(), n, list, true)
		if instance, ok := t.(*types.Named); err == nil && ok {
			made = append(made, instance)
		}
	}
	return made
}
