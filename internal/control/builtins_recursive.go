package control

// #include "builtins_fast.h"
import "C"

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/recursive"
)

// recursiveBuiltins copy, print, hash and compare values with their contents (internal/plane/walks/recursive.h).
// builtins_fast_recursive.c serves all but the text, which package recursive makes.
func recursiveBuiltins() []builtin {
	recursive.Missing, recursive.Kwargs = invalidObject.Pointer(), kwargsObject.Pointer()
	all := []builtin{
		typed("ffi.DeepCopy", returnsAny, ofValues("ffi.DeepCopy"), anyParam),
		typed("ffi.ReprPrint", returnsStr, func(args []abi.Any) (abi.Any, error) {
			return withOwned(&args[0], func(value *abi.Any) (abi.Any, error) {
				text, err := recursive.Repr(value, C.ss_repr_has_addresses() != 0)
				if err != nil {
					return abi.Any{}, err
				}
				return graph.NewText(text)
			})
		}, anyParam),
		typed("ffi.RecursiveHash", returnsInt, ofValues("ffi.RecursiveHash"), anyParam),
	}
	for _, name := range []string{"ffi.RecursiveEq", "ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe"} {
		all = append(all, typed(name, returnsBool, ofValues(name), anyParam, anyParam))
	}
	return all
}
