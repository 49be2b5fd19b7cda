package call

import (
	"cmp"
	"fmt"
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

// recordsMetadata returns the part of a function's metadata that describes the records in its signature; "" without
// any.
func (s *Signature) recordsMetadata() string {
	var all []*convert.Record
	for _, c := range s.Params {
		all = append(all, c.Records...)
	}
	if s.Result != nil {
		all = append(all, s.Result.Records...)
	}
	var texts []string
	seen := map[*convert.Record]bool{}
	for _, r := range all {
		if seen[r] {
			continue
		}
		seen[r] = true
		doc := ""
		if text := sourcetext.TypeComment(r.GoType, ""); text != "" {
			doc = `,"doc":` + convert.Quote(text)
		}
		var fields []string
		for _, f := range r.Fields {
			fields = append(fields, `{"name":`+convert.Quote(f.Name)+`,"type_schema":`+convert.Quote(f.Conv.Schema())+`,"doc":`+convert.Quote(f.Doc)+`}`)
		}
		texts = append(texts, `{"key":`+convert.Quote(r.Key)+doc+`,"fields":[`+strings.Join(fields, ",")+`]}`)
	}
	if texts == nil {
		return ""
	}
	return `,"records":[` + strings.Join(texts, ",") + `]`
}

// lentMetadata returns the part of the metadata that says which arguments may be lent: values, arrays of numbers, bytes. It says
// which ones may be tables of Arrow. And which ones are records with tensors: Python looks for tensors of other packages in them before the call.
func (s *Signature) lentMetadata() string {
	return s.indicesOf("lent", func(c *convert.Conv) bool { return c.Lends }) +
		s.indicesOf("lent_numbers", (*convert.Conv).AcceptsArrays) +
		s.indicesOf("lent_bytes", func(c *convert.Conv) bool {
			return c.Fast == convert.FastBytes || c.Fast == convert.FastLent || c.CopiesBytes
		}) + s.indicesOf("arrow", (*convert.Conv).AcceptsRows) + s.indicesOf("written", func(c *convert.Conv) bool { return c.Writes }) +
		s.indicesOf("written_any", func(c *convert.Conv) bool { return c.WritesAny }) + s.tensorRecords()
}

// mostMarked is how many arguments the masks of the Python core have bits for.
const mostMarked = 32

// tensorRecords returns the entry of the metadata that lists the arguments that are records with tensors. For a
// variadic parameter these are all arguments from its place on.
func (s *Signature) tensorRecords() string {
	has := func(c *convert.Conv) bool { return slices.ContainsFunc(c.Records, (*convert.Record).HasTensors) }
	at := s.parametersThat(has)
	if s.variadic && has(s.Params[s.fixed()]) {
		for i := s.fixed() - s.Hidden; i < mostMarked; i++ {
			at = append(at, i)
		}
	}
	return listOf("tensor_records", at)
}

// batchMetadata returns the part of the metadata that says that the func takes batches, and which columns may have numbers: the
// data types of the result and of the parameters, "" for a column of values.
func (s *Signature) batchMetadata() string {
	names := []string{typeName(s.Result)}
	for _, c := range s.Params[s.Hidden : s.fixed()-s.byName] {
		names = append(names, typeName(c))
	}
	return `,"dtypes":` + convert.QuoteAll(names)
}

func typeName(c *convert.Conv) string {
	if t := batchType(c); t.Bits != 0 {
		return t.String()
	}
	return ""
}

// indicesOf returns an entry of the metadata that lists the parameters for which has is true, or "" if there are none.
func (s *Signature) indicesOf(key string, has func(*convert.Conv) bool) string {
	return listOf(key, s.parametersThat(has))
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

// listOf returns an entry of the metadata that is a list of numbers, or "" for an empty one.
func listOf(key string, numbers []int) string {
	if len(numbers) == 0 {
		return ""
	}
	return fmt.Sprintf(`,"%s":%s`, key, strings.ReplaceAll(fmt.Sprint(numbers), " ", ","))
}

// Metadata returns the metadata JSON of a function: its schema, what callers must know of its parameters, and its doc.
func (c *Closure) Metadata(doc string) string {
	parts := append(make([]string, 0, 16), strings.TrimSuffix(MetadataOf(c.Sig.Schema(""), c.Named), "}"))
	if doc != "" {
		parts = append(parts, `,"doc":`, convert.Quote(doc))
	}
	if c.Symbol != "" {
		parts = append(parts, `,"go_func":`, convert.Quote(c.Symbol))
	}
	if c.Sig.variadic {
		parts = append(parts, `,"variadic":true`)
	}
	switch {
	case c.KeepsGIL:
		parts = append(parts, `,"release_gil":false`)
	case c.Sig.short && !c.Isolated:
		parts = append(parts, `,"short":true`)
	}
	if c.Sig.context >= 0 {
		parts = append(parts, `,"context":true`)
	}
	parts = append(parts, c.Sig.batchMetadata(), c.Sig.lentMetadata(), c.Sig.recordsMetadata(), "}")
	return strings.Join(parts, "")
}

// MetadataOf returns the metadata JSON of a field, method or function. named may be nil.
func MetadataOf(schema string, named *arguments) string {
	text := `{"type_schema":` + convert.Quote(schema)
	if named != nil {
		text += `,"arg_names":` + convert.QuoteAll(named.names)
		if len(named.texts) > 0 {
			text += `,"arg_defaults":` + convert.QuoteAll(named.texts)
		}
		if named.byName > 0 {
			text += `,"by_name":` + strconv.Itoa(named.byName)
		}
		text += listOf("present", named.present)
	}
	return text + "}"
}
