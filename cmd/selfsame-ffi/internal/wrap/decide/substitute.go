package decide

import "go/types"

// substituted returns a type with the arguments of the type parameters that it mentions, nil when one of those has none yet.
func substituted(t types.Type, params *types.TypeParamList, list []types.Type) types.Type {
	of := func(t types.Type) types.Type { return substituted(t, params, list) }
	switch x := types.Unalias(t).(type) {
	case *types.TypeParam:
		for i := range list {
			if params.At(i) == x {
				return list[i]
			}
		}
		return nil
	case *types.Slice:
		return made(func(all ...types.Type) types.Type { return types.NewSlice(all[0]) }, of(x.Elem()))
	case *types.Array:
		return made(func(all ...types.Type) types.Type { return types.NewArray(all[0], x.Len()) }, of(x.Elem()))
	case *types.Pointer:
		return made(func(all ...types.Type) types.Type { return types.NewPointer(all[0]) }, of(x.Elem()))
	case *types.Chan:
		return made(func(all ...types.Type) types.Type { return types.NewChan(x.Dir(), all[0]) }, of(x.Elem()))
	case *types.Map:
		return made(func(all ...types.Type) types.Type { return types.NewMap(all[0], all[1]) }, of(x.Key()), of(x.Elem()))
	case *types.Signature:
		in, out := substitutedIn(x.Params(), of), substitutedIn(x.Results(), of)
		if in == nil || out == nil {
			return nil
		}
		return types.NewSignatureType(nil, nil, nil, in, out, x.Variadic())
	case *types.Named:
		if x.TypeArgs().Len() == 0 {
			return x
		}
		var args []types.Type
		for arg := range x.TypeArgs().Types() {
			args = append(args, of(arg))
		}
		return made(func(all ...types.Type) types.Type {
			t, err := types.Instantiate(nil, x.Origin(), all, true)
			if err != nil {
				return nil
			}
			return t
		}, args...)
	}
	if t == nil || hasParams(t) {
		return nil
	}
	return t
}

// made makes a type of others, nil when one of them is nil.
func made(of func(...types.Type) types.Type, parts ...types.Type) types.Type {
	for _, part := range parts {
		if part == nil {
			return nil
		}
	}
	return of(parts...)
}

func substitutedIn(list *types.Tuple, of func(types.Type) types.Type) *types.Tuple {
	var all []*types.Var
	for v := range list.Variables() {
		t := of(v.Type())
		if t == nil {
			return nil
		}
		all = append(all, types.NewParam(v.Pos(), v.Pkg(), v.Name(), t))
	}
	return types.NewTuple(all...)
}
