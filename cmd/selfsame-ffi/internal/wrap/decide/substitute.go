package decide

import (
	"go/types"
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/typeparts"
)

// substituted returns a type with the arguments of the type parameters that it mentions, nil when one of those has none yet.
func substituted(t types.Type, params *types.TypeParamList, list []types.Type) types.Type {
	switch x := types.Unalias(t).(type) {
	case nil:
		return nil
	case *types.TypeParam:
		for i := range list {
			if params.At(i) == x {
				return list[i]
			}
		}
		return nil
	case *types.Struct, *types.Interface, *types.Union: // they stay as they are
		if hasParams(x) {
			return nil
		}
	}
	return typeparts.Rebuilt(t, func(part types.Type) types.Type { return substituted(part, params, list) })
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
	return slices.ContainsFunc(typeparts.Of(t), func(part types.Type) bool { return hasParamsIn(part, seen) })
}
