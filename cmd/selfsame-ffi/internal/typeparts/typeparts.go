// Package typeparts takes Go types apart, and puts them together again of other parts.
package typeparts

import (
	"go/types"
	"slices"
)

// Of returns the types that a type is made of, one step down: of a named type its type arguments.
func Of(t types.Type) (all []types.Type) {
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
	case *types.Tuple:
		variables(x)
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

// Rebuilt returns a type whose parts, one step down, are what of returns for those of another one, nil when that returns nil for one of
// them. A struct, an interface and a union stay as they are.
func Rebuilt(t types.Type, of func(types.Type) types.Type) types.Type {
	t = types.Unalias(t)
	switch t.(type) {
	case *types.Struct, *types.Interface, *types.Union:
		return t
	}
	parts := Of(t)
	if len(parts) == 0 {
		return t
	}
	for i, part := range parts {
		if parts[i] = of(part); parts[i] == nil {
			return nil
		}
	}
	switch x := t.(type) {
	case *types.Slice:
		return types.NewSlice(parts[0])
	case *types.Array:
		return types.NewArray(parts[0], x.Len())
	case *types.Pointer:
		return types.NewPointer(parts[0])
	case *types.Chan:
		return types.NewChan(x.Dir(), parts[0])
	case *types.Map:
		return types.NewMap(parts[0], parts[1])
	case *types.Tuple:
		return tuple(x, parts)
	case *types.Signature:
		in := x.Params().Len()
		return types.NewSignatureType(nil, nil, nil, tuple(x.Params(), parts[:in]), tuple(x.Results(), parts[in:]), x.Variadic())
	case *types.Named:
		if made, err := types.Instantiate(nil, x.Origin(), parts, true); err == nil {
			return made
		}
		return nil
	}
	return t
}

// tuple returns variables with the names of others, and types of their own.
func tuple(names *types.Tuple, list []types.Type) *types.Tuple {
	all := make([]*types.Var, len(list))
	for i, t := range list {
		v := names.At(i)
		all[i] = types.NewParam(v.Pos(), v.Pkg(), v.Name(), t)
	}
	return types.NewTuple(all...)
}
