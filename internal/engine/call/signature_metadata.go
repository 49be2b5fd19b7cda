package selfsame

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// sourceArguments returns the names of the last n parameters of the func as ArgNames takes them. nil when the source is
// not known or does not name them all.
func (s *signature) sourceArguments(n int) []string {
	names := namesOfSymbol(s.symbol)
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
	text := commentOf(symbol)
	goName := symbol[strings.LastIndexByte(symbol, '.')+1:]
	if rest, ok := strings.CutPrefix(text, goName+" "); ok {
		return registered[strings.LastIndexByte(registered, '.')+1:] + " " + rest
	}
	return text
}

// documented returns a doc, or the comment of the func when there is none.
func (c *closure) documented(doc, registered string) string {
	return cmp.Or(doc, sourceComment(c.symbol, registered))
}

// recordsMetadata returns the part of a function's metadata that describes the records in its signature; "" without
// any.
func (s *signature) recordsMetadata() string {
	var all []*record
	for _, c := range s.params {
		all = append(all, c.records...)
	}
	if s.result != nil {
		all = append(all, s.result.records...)
	}
	var texts []string
	seen := map[*record]bool{}
	for _, r := range all {
		if seen[r] {
			continue
		}
		seen[r] = true
		doc := ""
		if text := typeComment(r.goType, ""); text != "" {
			doc = `,"doc":` + quote(text)
		}
		var fields []string
		for _, f := range r.fields {
			fields = append(fields, `{"name":`+quote(f.name)+`,"type_schema":`+quote(f.conv.schema())+`,"doc":`+quote(f.doc)+`}`)
		}
		texts = append(texts, `{"key":`+quote(r.key)+doc+`,"fields":[`+strings.Join(fields, ",")+`]}`)
	}
	if texts == nil {
		return ""
	}
	return `,"records":[` + strings.Join(texts, ",") + `]`
}

// lentMetadata returns the part of the metadata that says which arguments may be lent.
func (s *signature) lentMetadata() string {
	return s.indicesOf("lent", func(c *conv) bool { return c.lends }) +
		s.indicesOf("lent_numbers", func(c *conv) bool { return c.lendsNumbers }) +
		s.indicesOf("lent_bytes", func(c *conv) bool { return c.fast == fastBytes || c.fast == fastLent })
}

// indicesOf returns an entry of the metadata that lists the parameters for which has is true, or "" if there are none.
func (s *signature) indicesOf(key string, has func(*conv) bool) string {
	var at []string
	for i, c := range s.params[s.hidden:s.fixed()] {
		if has(c) {
			at = append(at, strconv.Itoa(i))
		}
	}
	if at == nil {
		return ""
	}
	return fmt.Sprintf(`,"%s":[%s]`, key, strings.Join(at, ","))
}

// metadata returns the metadata JSON of a function: its schema, what callers must know of its parameters, and its doc.
func (c *closure) metadata(doc string) string {
	text := strings.TrimSuffix(metadataOf(c.sig.schema(""), c.named), "}")
	if doc != "" {
		text += `,"doc":` + quote(doc)
	}
	if c.symbol != "" {
		text += `,"go_func":` + quote(c.symbol)
	}
	if c.sig.variadic {
		text += `,"variadic":true`
	}
	if c.keepsGIL {
		text += `,"release_gil":false`
	}
	if c.sig.context >= 0 {
		text += `,"context":true`
	}
	return text + c.sig.lentMetadata() + c.sig.recordsMetadata() + "}"
}

// metadataOf returns the metadata JSON of a field, method or function. named may be nil.
func metadataOf(schema string, named *arguments) string {
	text := `{"type_schema":` + quote(schema)
	if named != nil {
		text += `,"arg_names":` + quoteAll(named.names)
		if len(named.texts) > 0 {
			text += `,"arg_defaults":` + quoteAll(named.texts)
		}
	}
	return text + "}"
}
