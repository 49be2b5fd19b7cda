package control

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsongraph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsontext"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// jsonBuiltins parse and print JSON text (package jsontext), and convert values to JSON graphs and back (package jsongraph).
func jsonBuiltins() []builtin {
	return []builtin{
		typed("ffi.json.Parse", returnsAny, func(args []abi.Any) (abi.Any, error) {
			content, _, _ := args[0].Content()
			return jsontext.Parse(content)
		}, strParam),
		typed("ffi.json.Stringify", returnsStr, func(args []abi.Any) (abi.Any, error) {
			return withOwned(&args[0], func(value *abi.Any) (abi.Any, error) {
				indent := int64(0)
				if args[1].TypeIndex != abi.IndexNone {
					indent = min(args[1].Int64(), 1<<16)
				}
				text, err := jsontext.Print(value, int(indent))
				if err != nil {
					return abi.Any{}, err
				}
				return graph.NewText(text)
			})
		}, anyParam, optional(intParam)),
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
