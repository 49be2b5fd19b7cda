package control

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsontext"
)

// jsonBuiltins parse and print JSON text. Package jsontext implements them.
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
	}
}
