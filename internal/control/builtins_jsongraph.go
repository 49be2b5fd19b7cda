package control

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsongraph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsontext"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// jsonGraphBuiltins convert values to JSON graphs and back. Package jsongraph implements them.
func jsonGraphBuiltins() []builtin {
	return []builtin{
		typed("ffi.ToJSONGraph", returnsAny, func(args []abi.Any) (abi.Any, error) {
			return withOwnedPair(&args[0], &args[1], jsongraph.Encode)
		}, anyParam, anyParam),
		typed("ffi.ToJSONGraphString", returnsStr, func(args []abi.Any) (abi.Any, error) {
			return withOwnedPair(&args[0], &args[1], func(value, metadata *abi.Any) (abi.Any, error) {
				text, err := jsongraph.EncodeText(value, metadata)
				if err != nil {
					return abi.Any{}, err
				}
				return graph.NewText(text)
			})
		}, anyParam, anyParam),
		typed("ffi.FromJSONGraph", returnsAny, func(args []abi.Any) (abi.Any, error) {
			return withOwned(&args[0], jsongraph.Decode)
		}, anyParam),
		typed("ffi.FromJSONGraphString", returnsAny, func(args []abi.Any) (abi.Any, error) {
			content, _, _ := args[0].Content()
			value, err := jsontext.Parse(content)
			if err != nil {
				return abi.Any{}, err
			}
			defer plane.Reset(&value)
			return jsongraph.Decode(&value)
		}, strParam),
	}
}
