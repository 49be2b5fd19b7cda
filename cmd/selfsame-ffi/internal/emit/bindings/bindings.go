// Package bindings has what the writers of interfaces of a library for C++ and Rust share.
package bindings

import (
	"slices"
	"strings"
	"text/template"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit"
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

// Language is what C++ and Rust differ in before any text is written.
type Language struct {
	Name     func(text string, reserved ...string) string
	Reserved []string // names that the written file uses for itself
	Comment  func(line string) string
	Fenced   bool // comments are Markdown, whose code blocks the language's tools compile
}

// Identifier makes a name of a registered name.
func (l *Language) Identifier(name string) string { return l.Name(name, l.Reserved...) }

// Writer collects the lines of a file.
type Writer struct {
	*Library
	Language  *Language
	Classes   map[string]string // type key: name
	Top       *model.Scope
	emit.Text // what is written so far

	records map[string]bool // keys of the structs that cross by value
}

// NewWriter returns a writer for a library, and chooses the names of its classes.
func NewWriter(lib *Library, lang *Language) (*Writer, error) {
	w := &Writer{Library: lib, Language: lang, Classes: map[string]string{}, records: map[string]bool{}, Top: model.NewScope(lib.Name)}
	for _, r := range lib.Content.Records() {
		w.records[r.Key] = true
	}
	for _, c := range lib.Content.Classes {
		id, err := w.Take(w.Top, w.TopName(c.Key), c.Key)
		if err != nil {
			return nil, err
		}
		w.Classes[c.Key] = id
	}
	return w, nil
}

// Elsewhere reports whether a schema names a class of another package. The other names with a dot are those of native forms,
// which are values of any type.
func (w *Writer) Elsewhere(s model.Schema) bool {
	prefix, _, dotted := strings.Cut(s.Type, ".")
	return dotted && prefix != "ffi" && prefix != "go" && !w.records[s.Type]
}

// TopName returns the name of a class or global function: without the package's prefix.
func (w *Writer) TopName(key string) string {
	return w.Language.Identifier(strings.TrimPrefix(key, w.Name+"."))
}

// Take takes a name in a scope, which another may have already. It returns the name to use.
func (w *Writer) Take(scope *model.Scope, id, registered string) (string, error) {
	for w.Foreign && scope.Has(id) {
		id += "_"
	}
	return id, scope.Take(id, registered)
}

// SetterOf names the setter of a field, in errors and where a method may have the name.
func SetterOf(field string) string { return "the setter of " + field }

// owns reports whether a function belongs to the package.
func (w *Writer) owns(name string) bool {
	return w.Foreign || strings.HasPrefix(name, w.Name+".")
}

// OwnFunctions returns the package's functions, by name, those of the library's module last.
func (w *Writer) OwnFunctions() []model.Function { return w.Content.OwnFunctions(w.owns) }

// uses reports whether a function, method or constructor is one that is says.
func (w *Writer) uses(is func(f model.Function) bool) bool {
	for _, c := range w.Content.Classes {
		if c.Init != nil && is(*c.Init) || slices.ContainsFunc(c.Methods, is) {
			return true
		}
	}
	return slices.ContainsFunc(w.OwnFunctions(), is)
}

// head is what the template of a file's beginning gets: the library, and what its functions need.
type head struct {
	Name, Source                      string
	Exports, OrError, Moved, Keywords bool
}

// Head writes what a file begins with.
func (w *Writer) Head(text string) {
	made := template.Must(template.New("head").Parse(text))
	err := made.Execute(&w.Text, head{
		Name: w.Name, Source: w.Language.Comment(w.Source),
		Exports:  slices.ContainsFunc(w.OwnFunctions(), func(f model.Function) bool { return f.Module }),
		OrError:  w.uses(func(f model.Function) bool { _, ok := f.Result.OrError(); return ok }),
		Keywords: w.uses(func(f model.Function) bool { _, keywords := f.InOrder(); return keywords != nil }),
		Moved: w.uses(func(f model.Function) bool {
			return slices.ContainsFunc(f.Args, func(s model.Schema) bool { _, ok := s.Moved(); return ok })
		}),
	})
	if err != nil {
		panic(err) // the template is a part of this program
	}
}

// Doc writes a comment of lines that begin with ///.
func (w *Writer) Doc(indent int, doc string) {
	doc = strings.TrimSpace(doc)
	if doc == "" {
		return
	}
	lines := strings.Split(strings.ReplaceAll(doc, "\r\n", "\n"), "\n")
	if w.Language.Fenced {
		lines = fence(lines)
	}
	for _, line := range lines {
		w.Line(indent, "%s", strings.TrimRight("/// "+w.Language.Comment(line), " "))
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
