// Package bind writes typed interfaces of a library for C++ and Rust.
package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// Library is what an interface is written for.
type Library struct {
	Name    string // of the namespace or module; registered names that begin with it belong there
	Source  string // where the library was, for the first line
	Content model.Library
}

// language is what C++ and Rust differ in before any text is written.
type language struct {
	keywords []string
	reserved []string // names that the written file uses for itself
}

// identifier makes a name of a registered name: other characters become underscores, and a word of the language gets an
// underscore at its end.
func (l *language) identifier(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9':
			b.WriteRune(r)
		case r >= '0' && r <= '9':
			b.WriteRune('_')
			b.WriteRune(r)
		default:
			b.WriteRune('_')
		}
	}
	id := b.String()
	if id == "" || slices.Contains(l.keywords, id) || slices.Contains(l.reserved, id) {
		id += "_"
	}
	return id
}

// scope holds the names of one namespace or class.
type scope struct {
	where string
	taken map[string]string
}

func newScope(where string) *scope { return &scope{where, map[string]string{}} }

// take adds a name. It fails when another registered name has the same.
func (s *scope) take(id, registered string) error {
	if other, ok := s.taken[id]; ok {
		return fmt.Errorf("%s and %s would both be called %s in %s; register one under another name", other, registered, id, s.where)
	}
	s.taken[id] = registered
	return nil
}

// generator collects the lines of a file.
type generator struct {
	library *Library
	lang    *language
	classes map[string]string // type key: name
	records map[string]bool   // keys of the structs that cross by value
	top     *scope
	b       strings.Builder
}

func newGenerator(lib *Library, lang *language) (*generator, error) {
	g := &generator{library: lib, lang: lang, classes: map[string]string{}, records: map[string]bool{}, top: newScope(lib.Name)}
	for _, r := range lib.Content.Records() {
		g.records[r.Key] = true
	}
	for _, c := range lib.Content.Classes {
		id := g.topName(c.Key)
		if err := g.top.take(id, c.Key); err != nil {
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

// rest returns the schema of the values that a variadic function takes at its end, and how many parameters are before them.
func rest(f model.Function) (element model.Schema, fixed int) {
	fixed = len(f.Args)
	if !f.Variadic {
		return element, fixed
	}
	fixed--
	element.Type = "Any"
	if last := f.Args[fixed]; len(last.Args) == 1 {
		element = last.Args[0]
	}
	return element, fixed
}

// topName returns the name of a class or global function: without the package's prefix.
func (g *generator) topName(key string) string {
	return g.lang.identifier(strings.TrimPrefix(key, g.library.Name+"."))
}

// owns reports whether a global function belongs to the package.
func (g *generator) owns(name string) bool { return strings.HasPrefix(name, g.library.Name+".") }

// functions returns the package's global functions, by name.
func (g *generator) functions() []model.Function {
	var own []model.Function
	for _, f := range g.library.Content.Functions {
		if g.owns(f.Name) {
			own = append(own, f)
		}
	}
	slices.SortFunc(own, func(a, b model.Function) int { return strings.Compare(a.Name, b.Name) })
	return own
}

// methods returns a class's methods that a name can be given to: the first of each name.
func methods(c model.Class) []model.Function {
	var kept []model.Function
	seen := map[string]bool{}
	for _, m := range c.Methods {
		if !seen[m.Name] && !strings.HasPrefix(m.Name, "__") {
			kept = append(kept, m)
		}
		seen[m.Name] = true
	}
	return kept
}

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

// parameters returns the names of a function's parameters, each different.
func (g *generator) parameters(f model.Function) []string {
	var names []string
	for i := range f.Args {
		name := ""
		if i < len(f.ArgNames) {
			name = f.ArgNames[i]
		}
		if name == "" {
			name = fmt.Sprintf("arg%d", i)
		}
		name = g.lang.identifier(name)
		if slices.Contains(names, name) {
			name = fmt.Sprintf("%s%d", name, i)
		}
		names = append(names, name)
	}
	return names
}

// quote writes a string literal of C++ and Rust for a registered name, which has no control characters.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
