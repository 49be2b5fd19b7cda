package runtime

import (
	"fmt"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
)

// param is the declared type of an argument: its name in messages and in the schema, and which values it accepts.
type param struct {
	text    string
	schema  string
	accepts func(index int32) bool
}

func oneOf(indices ...int32) func(int32) bool {
	return func(index int32) bool {
		for _, i := range indices {
			if i == index {
				return true
			}
		}
		return false
	}
}

var (
	strParam   = param{"str", `{"type":"ffi.String"}`, oneOf(abi.IndexRawStr, abi.IndexSmallStr, abi.IndexStr)}
	bytesParam = param{"bytes", `{"type":"ffi.Bytes"}`, oneOf(abi.IndexByteArrayPtr, abi.IndexSmallBytes, abi.IndexBytes)}
	intParam   = param{"int", `{"type":"int"}`, oneOf(abi.IndexInt, abi.IndexBool)}
	ptrParam   = param{"void*", `{"type":"void*"}`, oneOf(abi.IndexOpaquePtr, abi.IndexNone)}
	arrayParam = param{"ffi.Array", `{"type":"ffi.Array"}`, oneOf(abi.IndexArray)}
	anyParam   = param{"Any", `{"type":"Any"}`, func(int32) bool { return true }}
)

// result types: the name in messages and in the schema.
type returns struct{ text, schema string }

var (
	returnsVoid     = returns{"void", `{"type":"None"}`}
	returnsAny      = returns{"Any", `{"type":"Any"}`}
	returnsInt      = returns{"int", `{"type":"int"}`}
	returnsBool     = returns{"bool", `{"type":"bool"}`}
	returnsStr      = returns{"str", `{"type":"ffi.String"}`}
	returnsBytes    = returns{"bytes", `{"type":"ffi.Bytes"}`}
	returnsObject   = returns{"ffi.Object", `{"type":"ffi.Object"}`}
	returnsFunction = returns{"ffi.Function", `{"type":"ffi.Function"}`}
	returnsStrs     = returns{"Array<str>", `{"type":"ffi.Array","args":[{"type":"ffi.String"}]}`}
)

// signature is the declared form of a typed function.
type signature struct {
	name   string
	params []param
	result returns
}

func (s *signature) String() string {
	parts := make([]string, len(s.params))
	for i, p := range s.params {
		parts[i] = fmt.Sprintf("%d: %s", i, p.text)
	}
	return fmt.Sprintf("%s(%s) -> %s", s.name, strings.Join(parts, ", "), s.result.text)
}

// metadata is the JSON text that describes the function.
func (s *signature) metadata() string {
	schemas := make([]string, len(s.params))
	for i, p := range s.params {
		schemas[i] = p.schema
	}
	return schemaMetadata(`{"type":"ffi.Function","named_args":{"return":[` + s.result.schema + `],"params":[` +
		strings.Join(schemas, ",") + `]}}`)
}

// inJSON escapes what stands in quotes. There is one for all: each has tables of several kilobytes.
var inJSON = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func schemaMetadata(schema string) string {
	return `{"type_schema":"` + inJSON.Replace(schema) + `"}`
}

// check refuses arguments that do not fit the signature.
func (s *signature) check(args []abi.Any) error {
	if len(args) != len(s.params) {
		return errorf("TypeError", "Mismatched number of arguments when calling: `%s`. Expected %d but got %d arguments",
			s, len(s.params), len(args))
	}
	for i := len(args) - 1; i >= 0; i-- { // the last wrong one is named, as the published library does
		if p := s.params[i]; !p.accepts(args[i].TypeIndex) {
			return errorf("TypeError", "Mismatched type on argument #%d when calling: `%s`. Expected `%s` but got `%s`",
				i, s, p.text, valueTypeKey(&args[i]))
		}
		if args[i].IsObject() && args[i].Bits == 0 {
			return errorf("ValueError", "Argument #%d when calling: `%s` must not be a NULL object", i, s)
		}
	}
	return nil
}

// valueTypeKey names the type of a value for messages.
func valueTypeKey(a *abi.Any) string { return typeKeyOf(a.TypeIndex) }

// text copies a string argument.
func text(a *abi.Any) string {
	s, _ := a.Text()
	return s
}
