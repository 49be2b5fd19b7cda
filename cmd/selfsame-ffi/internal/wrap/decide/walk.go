package decide

import (
	"go/types"
	"slices"
)

// parts returns the types that a type is made of, one step down: of a named type its type arguments.
func parts(t types.Type) (all []types.Type) {
	variables := func(list *types.Tuple) {
		for v := range list.Variables() {
			all = append(all, v.Type())
		}
	}
	switch x := types.Unalias(t).(type) {
	case *types.Map:
		return []types.Type{x.Key(), x.Elem()}
	case interface{ Elem() types.Type }:
		return []types.Type{x.Elem()}
	case *types.Signature:
		variables(x.Params())
		variables(x.Results())
	case *types.Named:
		return slices.Collect(x.TypeArgs().Types())
	case *types.Union:
		for term := range x.Terms() {
			all = append(all, term.Type())
		}
	case *types.Struct:
		for f := range x.Fields() {
			all = append(all, f.Type())
		}
	case *types.Interface:
		all = slices.Collect(x.EmbeddedTypes())
		for m := range x.ExplicitMethods() {
			all = append(all, m.Type())
		}
	}
	return all
}

// hasParams says whether a type mentions a type parameter.
func hasParams(t types.Type) bool { return hasParamsIn(t, map[types.Type]bool{}) }

func hasParamsIn(t types.Type, seen map[types.Type]bool) bool {
	if t = types.Unalias(t); t == nil || seen[t] {
		return false
	}
	seen[t] = true
	if _, is := t.(*types.TypeParam); is {
		return true
	}
	return slices.ContainsFunc(parts(t), func(part types.Type) bool { return hasParamsIn(part, seen) })
}
