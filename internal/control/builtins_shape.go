package control

import "github.com/selfsame-ffi/selfsame/abi"

// shapeBuiltins returns the function that makes a Shape.
func shapeBuiltins() []builtin {
	return []builtin{
		packed("ffi.Shape", func(args []abi.Any) (abi.Any, error) {
			dimensions := make([]int64, len(args))
			for i := range args {
				if !intParam.accepts(args[i].TypeIndex) {
					return abi.Any{}, errorf("ValueError", "Expect shape to take list of int arguments")
				}
				dimensions[i] = args[i].Int64()
			}
			return newShape(dimensions)
		}),
	}
}
