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

	// Foreign says that somebody else built the library. Then a name that is taken gets an underscore at its end; otherwise it is an
	// error, for the author of the library to mend. All functions belong to the interface then, those of the library's module among
	// them, not only those whose names begin with Name.
	Foreign bool
}

// language is what C++ and Rust differ in before any text is written.
type language struct {
	name     func(text string, reserved ...string) string
	reserved []string // names that the written file uses for itself
	comment  func(line string) string
	fenced   bool // comments are Markdown, whose code blocks the language's tools compile
}

// identifier makes a name of a registered name.
func (l *language) identifier(name string) string { return l.name(name, l.reserved...) }

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
		id, err := g.take(g.top, g.topName(c.Key), c.Key)
		if err != nil {
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

// take takes a name in a scope, which another may have already. It returns the name to use.
func (g *generator) take(scope *model.Scope, id, registered string) (string, error) {
	for g.library.Foreign && scope.Has(id) {
		id += "_"
	}
	return id, scope.Take(id, registered)
}

// owns reports whether a function belongs to the package.
func (g *generator) owns(name string) bool {
	return g.library.Foreign || strings.HasPrefix(name, g.library.Name+".")
}

// functions returns the package's functions, by name, those of the library's module last.
func (g *generator) functions() []model.Function { return g.library.Content.OwnFunctions(g.owns) }

// uses reports whether a function, method or constructor is one that is says.
func (g *generator) uses(is func(f model.Function) bool) bool {
	for _, c := range g.library.Content.Classes {
		if c.Init != nil && is(*c.Init) || slices.ContainsFunc(c.Methods, is) {
			return true
		}
	}
	return slices.ContainsFunc(g.functions(), is)
}

// hasExports reports whether a function is one of the library's module.
func (g *generator) hasExports() bool {
	return slices.ContainsFunc(g.functions(), func(f model.Function) bool { return f.Module })
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
	lines := strings.Split(strings.ReplaceAll(doc, "\r\n", "\n"), "\n")
	if g.lang.fenced {
		lines = fence(lines)
	}
	for _, line := range lines {
		g.line(indent, "%s", strings.TrimRight("/// "+g.lang.comment(line), " "))
	}
}

// fence marks what is code in a comment as text: rustdoc would compile it as Rust, and run it as a test. Code is what stands
// between two fences, or is indented by a tab or four blanks.
func fence(lines []string) []string {
	var out []string
	fenced, indented := "", false
	for _, line := range lines {
		trimmed := strings.TrimLeft(line, " \t")
		code := strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ")
		switch {
		case fenced != "":
			if strings.HasPrefix(trimmed, fenced) {
				fenced, line = "", "```"
			}
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			if indented {
				out, indented = append(out, "```"), false
			}
			fenced, line = trimmed[:3], "```text"
		case code && !indented:
			out, indented = append(out, "```text"), true
		case indented && !code && trimmed != "":
			out, indented = append(out, "```"), false
		}
		out = append(out, line)
	}
	if indented || fenced != "" {
		out = append(out, "```")
	}
	return out
}
