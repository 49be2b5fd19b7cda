package control

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/bigint"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// registerBigInt registers the metadata of BigInt, and the type attributes that hash, compare and serialize it.
func registerBigInt() error {
	if err := registerMetadata(abi.IndexBigInt, &abi.TypeMetadata{TotalSize: abi.BodyOffset + 8}); err != nil {
		return err
	}
	hash, equal := plane.BigIntKeys()
	values := map[string]abi.Any{
		"__any_hash__":       abi.OpaquePtr(hash),
		"__any_equal__":      abi.OpaquePtr(equal),
		"__ffi_type_final__": abi.Bool(true),
	}
	for name, value := range values {
		if err := registerAttr(abi.IndexBigInt, name, value); err != nil {
			return err
		}
	}
	for _, hook := range bigIntHooks() {
		attribute := hook.name
		hook.name = "ffi.BigInt." + attribute
		function, err := newFunction(hook.checked())
		if err != nil {
			return err
		}
		err = registerAttr(abi.IndexBigInt, attribute, abi.ObjectValue(function))
		plane.DecRef(function)
		if err != nil {
			return err
		}
	}
	return nil
}

// bigIntHooks returns the type attributes of BigInt that the recursive operations and the JSON graph call. Their last
// parameter, a callback for nested values, is not used.
func bigIntHooks() []builtin {
	object, function := objectParam("ffi.Object"), objectParam("ffi.Function")
	return []builtin{
		typed("__ffi_hash__", returnsInt, func(args []abi.Any) (abi.Any, error) {
			if err := isBigInt(&args[0]); err != nil {
				return abi.Any{}, err
			}
			return abi.Int(plane.BigIntHash(&args[0])), nil
		}, object, function),
		typed("__ffi_eq__", returnsBool, func(args []abi.Any) (abi.Any, error) {
			order, err := compareBigInts(args)
			return abi.Bool(order == 0), err
		}, object, object, function),
		typed("__ffi_compare__", returnsInt, func(args []abi.Any) (abi.Any, error) {
			order, err := compareBigInts(args)
			return abi.Int(int64(order)), err
		}, object, object, function),
		typed("__data_to_json__", returnsAny, func(args []abi.Any) (abi.Any, error) {
			if args[0].TypeIndex != abi.IndexInt {
				if err := isBigInt(&args[0]); err != nil {
					return abi.Any{}, err
				}
			}
			return newString(bigint.Of(&args[0]).String())
		}, viewParam),
		typed("__data_from_json__", returnsAny, func(args []abi.Any) (abi.Any, error) {
			if t := args[0].TypeIndex; t != abi.IndexSmallStr && t != abi.IndexStr {
				return abi.Any{}, errorf("TypeError", "Cannot treat type `%s` as type `str`", valueTypeKey(&args[0]))
			}
			v, ok := bigint.Parse(text(&args[0]))
			if !ok {
				return abi.Any{}, errorf("ValueError", "Invalid decimal string for ffi.BigInt")
			}
			value, ok := bigint.New(v)
			if !ok {
				return abi.Any{}, errRaised
			}
			return value, nil
		}, viewParam),
	}
}

// isBigInt returns nil for a BigInt and a TypeError for any other value.
func isBigInt(a *abi.Any) error {
	if a.TypeIndex == abi.IndexBigInt {
		return nil
	}
	return errorf("TypeError", "Cannot treat type `%s` as type `BigInt`", valueTypeKey(a))
}

// compareBigInts returns -1, 0 or 1 for the first two arguments, which must be BigInts.
func compareBigInts(args []abi.Any) (int, error) {
	for i := range args[:2] {
		if err := isBigInt(&args[i]); err != nil {
			return 0, err
		}
	}
	return bigint.Of(&args[0]).Cmp(bigint.Of(&args[1])), nil
}
