package call

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/sourcetext"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// sourceArguments returns the names of the last n parameters of the func as ArgNames takes them. nil when the source is
// not known or does not name them all.
func (s *Signature) sourceArguments(n int) []string {
	names := sourcetext.ParametersOf(s.Symbol)
	if len(names) < n || n == 0 {
		return nil
	}
	names = names[len(names)-n:]
	for _, name := range names {
		if name == "_" || !naming.IsIdentifier(name) {
			return nil
		}
	}
	return names
}

// sourceComment returns the comment of a func as a doc. The Go name at its beginning, as the custom is, becomes the
// registered one.
func sourceComment(symbol, registered string) string {
	text := sourcetext.CommentOf(symbol)
	goName := symbol[strings.LastIndexByte(symbol, '.')+1:]
	if rest, ok := strings.CutPrefix(text, goName+" "); ok {
		return registered[strings.LastIndexByte(registered, '.')+1:] + " " + rest
	}
	return text
}

// Documented returns a doc, or the comment of the func when there is none.
func (c *Closure) Documented(doc, registered string) string {
	return cmp.Or(doc, sourceComment(c.Symbol, registered))
}

// appendRecords appends the part of a function's metadata that describes the records in its signature; nothing without any.
func (s *Signature) appendRecords(text []byte) []byte {
	var all []*convert.Record
	for _, c := range s.Params {
		all = append(all, c.Records...)
	}
	if s.Result != nil {
		all = append(all, s.Result.Records...)
	}
	if len(all) == 0 {
		return text
	}
	text = append(text, `,"records":[`...)
	for i, r := range all {
		if slices.Contains(all[:i], r) {
			continue
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = convert.AppendQuoted(append(text, `{"key":`...), r.Key)
		if doc := sourcetext.TypeComment(r.GoType, ""); doc != "" {
			text = convert.AppendQuoted(append(text, `,"doc":`...), doc)
		}
		text = append(text, `,"fields":[`...)
		for k, f := range r.Fields {
			if k > 0 {
				text = append(text, ',')
			}
			text = convert.AppendQuoted(append(text, `{"name":`...), f.Name)
			text = convert.AppendQuoted(append(text, `,"type_schema":`...), f.Conv.Schema())
			text = append(convert.AppendQuoted(append(text, `,"doc":`...), f.Doc), '}')
		}
		text = append(text, "]}"...)
	}
	return append(text, ']')
}

// appendLent appends the part of the metadata that says which arguments may be lent: values, arrays of numbers, bytes. It says
// which ones may be tables of Arrow. And which ones are records with tensors: Python looks for tensors of other packages in them before
// the call.
func (s *Signature) appendLent(text []byte) []byte {
	for _, entry := range marks {
		text = appendList(text, entry.key, s.parametersThat(entry.has))
	}
	return appendList(text, "tensor_records", s.tensorRecords())
}

// marks are the entries of the metadata that list parameters by what their conversion does.
var marks = []struct {
	key string
	has func(*convert.Conv) bool
}{
	{"lent", func(c *convert.Conv) bool { return c.Lends }},
	{"lent_numbers", (*convert.Conv).AcceptsArrays},
	{"lent_bytes", func(c *convert.Conv) bool {
		return c.Fast == convert.FastBytes || c.Fast == convert.FastLent || c.CopiesBytes
	}},
	{"arrow", (*convert.Conv).AcceptsRows},
	{"written", func(c *convert.Conv) bool { return c.Writes }},
	{"written_any", func(c *convert.Conv) bool { return c.WritesAny }},
}

// mostMarked is how many arguments the masks of the Python core have bits for.
const mostMarked = 32

// tensorRecords returns the places of the arguments that are records with tensors. For a variadic parameter these are all arguments
// from its place on.
func (s *Signature) tensorRecords() []int {
	has := func(c *convert.Conv) bool { return slices.ContainsFunc(c.Records, (*convert.Record).HasTensors) }
	at := s.parametersThat(has)
	if s.variadic && has(s.Params[s.fixed()]) {
		for i := s.fixed() - s.Hidden; i < mostMarked; i++ {
			at = append(at, i)
		}
	}
	return at
}

// appendBatch appends the part of the metadata that says that the func takes batches, and which columns may have numbers: the
// data types of the result and of the parameters, "" for a column of values.
func (s *Signature) appendBatch(text []byte) []byte {
	text = convert.AppendQuoted(append(text, `,"dtypes":[`...), typeName(s.Result))
	for _, c := range s.Params[s.Hidden : s.fixed()-s.byName] {
		text = convert.AppendQuoted(append(text, ','), typeName(c))
	}
	return append(text, ']')
}

func typeName(c *convert.Conv) string {
	if t := batchType(c); t.Bits != 0 {
		return t.String()
	}
	return ""
}

// parametersThat returns the places of the parameters for which has is true. A variadic one is none of them.
func (s *Signature) parametersThat(has func(*convert.Conv) bool) (at []int) {
	for i, c := range s.Params[s.Hidden:s.fixed()] {
		if has(c) {
			at = append(at, i)
		}
	}
	return at
}

// appendList appends an entry of the metadata that is a list of numbers; nothing for an empty one.
func appendList(text []byte, key string, numbers []int) []byte {
	if len(numbers) == 0 {
		return text
	}
	text = append(text, `,"`+key+`":`...)
	for i, n := range numbers {
		between := byte(',')
		if i == 0 {
			between = '['
		}
		text = strconv.AppendInt(append(text, between), int64(n), 10)
	}
	return append(text, ']')
}

// AppendMetadata appends the metadata JSON of a function: its schema, what callers must know of its parameters, its doc, and the symbol
// that its source is found by.
func (c *Closure) AppendMetadata(text []byte, doc, symbol string) []byte {
	text = appendDescription(text, c.Sig.appendSchema(make([]byte, 0, 512)), c.Named)
	if doc != "" {
		text = convert.AppendQuoted(append(text, `,"doc":`...), doc)
	}
	if symbol != "" {
		text = convert.AppendQuoted(append(text, `,"go_func":`...), symbol)
	}
	if c.Sig.variadic {
		text = append(text, `,"variadic":true`...)
	}
	switch {
	case c.KeepsGIL:
		text = append(text, `,"release_gil":false`...)
	case c.Sig.short && !c.Isolated:
		text = append(text, `,"short":true`...)
	}
	if c.Sig.context >= 0 {
		text = append(text, `,"context":true`...)
	}
	return append(c.Sig.appendRecords(c.Sig.appendLent(c.Sig.appendBatch(text))), '}')
}

// Reopened returns a JSON object without its end, so that an entry can follow.
func Reopened(object []byte) []byte { return object[:len(object)-1] }

// FieldMetadata returns the metadata JSON of a field with a schema.
func FieldMetadata(schema string) string {
	return string(appendDescription(nil, []byte(schema), nil)) + "}"
}

// appendDescription appends the beginning of the metadata of a field, method or function. named may be nil.
func appendDescription(text, schema []byte, named *arguments) []byte {
	text = convert.AppendQuoted(append(text, `{"type_schema":`...), schema)
	if named == nil {
		return text
	}
	text = convert.AppendQuotedAll(append(text, `,"arg_names":`...), named.names)
	if len(named.texts) > 0 {
		text = convert.AppendQuotedAll(append(text, `,"arg_defaults":`...), named.texts)
	}
	if named.byName > 0 {
		text = strconv.AppendInt(append(text, `,"by_name":`...), int64(named.byName), 10)
	}
	return appendList(text, "present", named.present)
}
