package control

import (
	"fmt"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
)

// param is the declared type of a parameter.
type param struct {
	text    string                 // in error messages
	schema  string                 // in the function's metadata
	accepts func(index int32) bool // whether it accepts values of a type index
}

// oneOf makes an accepts function for some type indices.
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

// returns is the declared type of a result: its name in messages and in the schema.
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

// signature is the name, the parameters and the result of a typed function.
type signature struct {
	name   string
	params []param
	result returns
}

// String formats the signature as error messages show it.
func (s *signature) String() string {
	parts := make([]string, len(s.params))
	for i, p := range s.params {
		parts[i] = fmt.Sprintf("%d: %s", i, p.text)
	}
	return fmt.Sprintf("%s(%s) -> %s", s.name, strings.Join(parts, ", "), s.result.text)
}

// metadata returns the function's metadata: JSON text with its type schema.
func (s *signature) metadata() string {
	schemas := make([]string, len(s.params))
	for i, p := range s.params {
		schemas[i] = p.schema
	}
	return schemaMetadata(`{"type":"ffi.Function","named_args":{"return":[` + s.result.schema + `],"params":[` +
		strings.Join(schemas, ",") + `]}}`)
}

// inJSON escapes text inside JSON quotes. It is shared, because each Replacer has tables of several kilobytes.
var inJSON = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// schemaMetadata returns metadata with this type schema.
func schemaMetadata(schema string) string {
	return `{"type_schema":"` + inJSON.Replace(schema) + `"}`
}

// check returns an error unless the arguments fit the signature.
func (s *signature) check(args []abi.Any) error {
	if len(args) != len(s.params) {
		return errorf("TypeError", "Mismatched number of arguments when calling: `%s`. Expected %d but got %d arguments",
			s, len(s.params), len(args))
	}
	for i := len(args) - 1; i >= 0; i-- { // the last wrong argument is reported, as by the published library
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

// valueTypeKey returns the type key of a value, for error messages.
func valueTypeKey(a *abi.Any) string { return typeKeyOf(a.TypeIndex) }

// text returns a copy of a string argument.
func text(a *abi.Any) string {
	s, _ := a.Text()
	return s
}
