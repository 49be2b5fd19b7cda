package selfsame

import (
	"cmp"
	"strings"
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
		if name == "_" || !isIdentifier(name) {
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
