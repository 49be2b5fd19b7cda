package wrapped

import "go/types"

// unaliased returns a type with what aliases stand for in the place of the aliases within it: one may be of a package that nobody else can
// import, and stand for a type that all can name.
func unaliased(t types.Type) types.Type {
	switch x := types.Unalias(t).(type) {
	case *types.Slice:
		return types.NewSlice(unaliased(x.Elem()))
	case *types.Array:
		return types.NewArray(unaliased(x.Elem()), x.Len())
	case *types.Pointer:
		return types.NewPointer(unaliased(x.Elem()))
	case *types.Chan:
		return types.NewChan(x.Dir(), unaliased(x.Elem()))
	case *types.Map:
		return types.NewMap(unaliased(x.Key()), unaliased(x.Elem()))
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, unaliasedTuple(x.Params()), unaliasedTuple(x.Results()), x.Variadic())
	case *types.Tuple:
		return unaliasedTuple(x)
	case *types.Named:
		if x.TypeArgs().Len() == 0 {
			return x
		}
		var args []types.Type
		for arg := range x.TypeArgs().Types() {
			args = append(args, unaliased(arg))
		}
		if made, err := types.Instantiate(nil, x.Origin(), args, false); err == nil {
			return made
		}
		return x
	default:
		return x
	}
}

func unaliasedTuple(list *types.Tuple) *types.Tuple {
	var all []*types.Var
	for v := range list.Variables() {
		all = append(all, types.NewParam(v.Pos(), v.Pkg(), v.Name(), unaliased(v.Type())))
	}
	return types.NewTuple(all...)
}
