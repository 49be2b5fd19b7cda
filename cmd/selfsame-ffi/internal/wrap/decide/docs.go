package decide

import (
	"go/types"
	"iter"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// docOf translates the Go comment of a func, a method or a field into a docstring, which begins with a verb where the comment
// begins with the name: "Add adds x." is "Adds x."
func (d *Decider) docOf(name, text string) string {
	rest, ok := strings.CutPrefix(text, name)
	rest = strings.TrimLeft(rest, " \n")
	word, _, _ := strings.Cut(rest, " ")
	if ok && len(rest) < len(text)-len(name) && (strings.HasSuffix(word, "s") || word == "are") { // not "Add a book."
		for _, verb := range []string{"is ", "are "} { // "Title is the title." is "The title."
			if after, found := strings.CutPrefix(rest, verb); found && startsWithArticle(after) {
				rest = after
			}
		}
		first, size := utf8.DecodeRuneInString(rest)
		text = string(unicode.ToUpper(first)) + rest[size:]
	}
	return d.pythonDoc(text)
}

func startsWithArticle(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return word == "a" || word == "an" || word == "the"
}

// pythonDoc translates a Go comment into a docstring: without directives, and with the names that things have in Python. Code,
// which is indented, keeps the names of Go.
func (d *Decider) pythonDoc(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "//go:") || strings.HasPrefix(line, "nolint") {
			continue
		}
		if !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "    ") {
			line = d.renameIn(line)
		}
		lines = append(lines, strings.ReplaceAll(line, "\t", "    "))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// goName finds what may be a name of Go in a sentence, as a doc link in brackets or without them.
var goName = regexp.MustCompile(`\[\*?[A-Za-z_][\w.]*\]|\b([a-z]\w*\.)?[A-Z]\w*(\.[A-Z]\w*)?\b|\b(nil|true|false)\b`)

// goWords are the words of Go that Python has under another name.
var goWords = map[string]string{"nil": "None", "true": "True", "false": "False"}

// renameIn replaces the names of Go in a line. A name of one word, such as Add, is replaced in a doc link only: elsewhere it may be
// a word of English.
func (d *Decider) renameIn(line string) string {
	return goName.ReplaceAllStringFunc(line, func(found string) string {
		if word, ok := goWords[found]; ok {
			return word
		}
		name := strings.TrimPrefix(strings.Trim(found, "[]"), "*")
		linked, before := found[0] == '[', ""
		if qualifier, rest, ok := strings.Cut(name, "."); ok && unicode.IsLower(rune(name[0])) {
			switch {
			case d.isOfImport(qualifier, rest):
				return found
			case !linked:
				before, name = qualifier+".", rest
			case d.isTargetName(qualifier):
				name = rest
			}
		}
		if !linked && !strings.Contains(name, ".") && strings.IndexFunc(name[1:], unicode.IsUpper) < 0 {
			return found
		}
		python := d.pythonNames()[name]
		switch {
		case python == "":
			return found
		case python != name && d.isImportedType(name):
			return before + name
		}
		return before + python
	})
}

// imports returns the packages that the wrapped ones import.
func (d *Decider) imports() iter.Seq[*types.Package] {
	return func(yield func(*types.Package) bool) {
		for p := range d.targets {
			for _, imported := range p.Imports() {
				if !d.targets[imported] && !yield(imported) {
					return
				}
			}
		}
	}
}

// isOfImport says whether a name, perhaps with that of a member behind it, is one of an imported package: io.ReadAll is not the
// ReadAll of a wrapped one.
func (d *Decider) isOfImport(packageName, name string) bool {
	top, _, _ := strings.Cut(name, ".")
	for p := range d.imports() {
		if p.Name() == packageName && p.Scope().Lookup(top) != nil {
			return true
		}
	}
	return false
}

// isImportedType says whether an imported package exports a type of a name. A method that is called so, as HandlerFunc of a router is
// beside http.HandlerFunc, is not what a sentence speaks of.
func (d *Decider) isImportedType(name string) bool {
	for p := range d.imports() {
		if o, ok := p.Scope().Lookup(name).(*types.TypeName); ok && o.Exported() {
			return true
		}
	}
	return false
}

func (d *Decider) isTargetName(name string) bool {
	for p := range d.targets {
		if p.Name() == name {
			return true
		}
	}
	return false
}

// pythonNames returns the Python names of what the wrapped packages export, by the names that comments call them in Go: a func,
// Type.Method, and a method alone.
func (d *Decider) pythonNames() map[string]string {
	if d.names != nil {
		return d.names
	}
	d.names = map[string]string{}
	for _, wrapped := range d.world.Packages {
		p := wrapped.Types
		for _, name := range p.Scope().Names() {
			o := p.Scope().Lookup(name)
			if !o.Exported() {
				continue
			}
			switch x := o.(type) {
			case *types.Func:
				d.names[name] = d.renamed(name, pythonName(name))
			case *types.Const:
				d.names[name] = d.renamed(name, constantName(name))
			case *types.Var:
				if d.names[name] = d.renamed(name, pythonName(name)); isError(x.Type()) {
					d.names[name] = d.renamed(name, errorName(name))
				}
			case *types.TypeName:
				d.names[name] = name
				d.memberNames(name, x.Type())
			}
		}
	}
	for _, c := range d.plan.Classes {
		if c.Init != nil && strings.HasPrefix(c.Init.ID, "New") {
			d.names[c.Init.ID] = c.Init.Python
		}
	}
	return d.names
}

// memberNames notes the Python names of the methods and fields of a type.
func (d *Decider) memberNames(owner string, t types.Type) {
	note := func(name string) {
		python := d.renamed(owner+"."+name, pythonName(name))
		d.names[owner+"."+name] = owner + "." + python
		if d.names[name] == "" {
			d.names[name] = python
		}
	}
	set := types.NewMethodSet(types.NewPointer(t))
	if types.IsInterface(t) {
		set = types.NewMethodSet(t)
	}
	for m := range set.Methods() {
		if m.Obj().Exported() {
			note(m.Obj().Name())
		}
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Exported() && !f.Embedded() {
				note(f.Name())
			}
		}
	}
}
