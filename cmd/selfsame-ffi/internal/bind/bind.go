// Package bind writes typed interfaces of a library for C++ and Rust.
package bind

import (
	"fmt"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// Library is what an interface is written for.
type Library struct {
	Name    string // of the namespace or module; registered names that begin with it belong there
	Source  string // where the library was, for the first line
	Content model.Library
}

// language is what C++ and Rust differ in before any text is written.
type language struct {
	*naming.Language
	reserved []string // names that the written file uses for itself
}

// identifier makes a name of a registered name.
func (l *language) identifier(name string) string { return l.Identifier(name, l.reserved...) }

// generator collects the lines of a file.
type generator struct {
	library *Library
	lang    *language
	classes map[string]string // type key: name
	records map[string]bool   // keys of the structs that cross by value
	top     *model.Scope
	b       strings.Builder
}

func newGenerator(lib *Library, lang *language) (*generator, error) {
	g := &generator{library: lib, lang: lang, classes: map[string]string{}, records: map[string]bool{}, top: model.NewScope(lib.Name)}
	for _, r := range lib.Content.Records() {
		g.records[r.Key] = true
	}
	for _, c := range lib.Content.Classes {
		id := g.topName(c.Key)
		if err := g.top.Take(id, c.Key); err != nil {
			return nil, err
		}
		g.classes[c.Key] = id
	}
	return g, nil
}

// elsewhere reports whether a schema names a class of another package. The other names with a dot are those of native forms,
// which are values of any type.
func (g *generator) elsewhere(s model.Schema) bool {
	prefix, _, dotted := strings.Cut(s.Type, ".")
	return dotted && prefix != "ffi" && prefix != "go" && !g.records[s.Type]
}

// topName returns the name of a class or global function: without the package's prefix.
func (g *generator) topName(key string) string {
	return g.lang.identifier(strings.TrimPrefix(key, g.library.Name+"."))
}

// owns reports whether a global function belongs to the package.
func (g *generator) owns(name string) bool { return strings.HasPrefix(name, g.library.Name+".") }

// functions returns the package's global functions, by name.
func (g *generator) functions() []model.Function { return g.library.Content.OwnFunctions(g.owns) }

func (g *generator) line(indent int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if text != "" {
		g.b.WriteString(strings.Repeat(" ", indent))
		g.b.WriteString(text)
	}
	g.b.WriteByte('\n')
}

// doc writes a comment of lines that begin with ///.
func (g *generator) doc(indent int, doc string) {
	doc = strings.TrimSpace(doc)
	if doc == "" {
		return
	}
	for line := range strings.Lines(doc) {
		g.line(indent, "%s", strings.TrimRight("/// "+strings.TrimRight(line, "\r\n"), " "))
	}
}

// quote writes a string literal of C++ and Rust for a registered name, which has no control characters.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
