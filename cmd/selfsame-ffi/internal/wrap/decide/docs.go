package decide

import (
	"go/types"
	"iter"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// docOf translates the Go comment of a func, a method or a field into a docstring, which begins with a verb where the comment
// begins with the name: "Add adds x." is "Adds x." call has the names of the parameters, nil for a field.
func (d *Decider) docOf(name, text string, call *form.Call) string {
	rest, ok := strings.CutPrefix(text, name)
	rest = strings.TrimLeft(rest, " \n")
	if ok && len(rest) < len(text)-len(name) && says.MatchString(rest) { // not "Add a book."
		for _, verb := range []string{"is ", "are "} { // "Title is the title." is "The title."
			rest = strings.TrimPrefix(rest, verb)
		}
		first, size := utf8.DecodeRuneInString(rest)
		text = string(unicode.ToUpper(first)) + rest[size:]
	}
	d.params = parametersOf(call)
	defer func() { d.params = nil }()
	return d.pythonDoc(text)
}

// says finds a sentence that goes on behind the name of what it speaks of.
var says = regexp.MustCompile(`^(?:(?:\w+ly|also|always|never) )?(?:\w+s|are)\b`)

// parametersOf returns the names of the parameters of a call in Python, by those in Go.
func parametersOf(call *form.Call) map[string]string {
	if call == nil {
		return nil
	}
	names := map[string]string{}
	for _, p := range call.Params {
		if goName := call.Signature.Params().At(p.Index).Name(); goName != "" && goName != "_" && p.Python != "" {
			names[goName] = p.Python
		}
	}
	return names
}

// pythonDoc translates a Go comment into a docstring: without directives and headings, in the names and terms of Python. Code of Go is
// translated where it is made of simple calls, and left out elsewhere.
func (d *Decider) pythonDoc(text string) string {
	var lines, code []string
	end := func() {
		if len(code) > 0 {
			lines, code = d.example(lines, code), nil
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "//go:") || strings.HasPrefix(line, "nolint") {
			continue
		}
		if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ") || len(code) > 0 && line == "" {
			code = append(code, strings.ReplaceAll(line, "\t", "    "))
			continue
		}
		end()
		line = mapType.ReplaceAllString(line, "dict[$1, $2]")
		line = inWordsOfPython(d.renameIn(parameterNames(strings.TrimPrefix(line, "# "), d.params)))
		lines = append(lines, strings.ReplaceAll(line, "\t", "    "))
	}
	end()
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// mapType finds a type of maps of Go, whose key would be a doc link.
var mapType = regexp.MustCompile(`\bmap\[(\w+)\](\w+(?:\.\w+)*|interface\{\}|\[\]\w+)`)

// goName finds what may be a name of Go in a sentence: a doc link in brackets, a name with parentheses behind it, one without them, and
// what stands in backticks or quotes, which is left as it is.
var goName = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|\\[\\*?[A-Za-z_][\\w.]*\\]|\\b([a-z]\\w*\\.)?[A-Z]\\w*(\\.[A-Z]\\w*)?\\b(\\(\\))?")

// renameIn replaces the names of Go in a line. A name of one word, such as Add, is replaced in a doc link, at parentheses, and where
// the sentence says what it does: elsewhere it may be a word of English.
func (d *Decider) renameIn(line string) string {
	var b strings.Builder
	end := 0
	for _, at := range goName.FindAllStringIndex(line, -1) {
		b.WriteString(line[end:at[0]])
		b.WriteString(d.renameOne(line[at[0]:at[1]], line[at[1]:]))
		end = at[1]
	}
	return b.String() + line[end:]
}

// renameOne replaces one name; behind is the rest of the line.
func (d *Decider) renameOne(found, behind string) string {
	if found[0] == '`' || found[0] == '"' {
		return found
	}
	found, isCall := strings.CutSuffix(found, "()")
	call := map[bool]string{true: "()"}[isCall]
	name := strings.TrimPrefix(strings.Trim(found, "[]"), "*")
	linked, before := found[0] == '[', ""
	if qualifier, rest, ok := strings.Cut(name, "."); ok && unicode.IsLower(rune(name[0])) {
		switch {
		case d.isOfImport(qualifier, rest):
			return before + strings.Trim(found, "[]") + call
		case !linked:
			before, name = qualifier+".", rest
		case d.isTargetName(qualifier):
			name = rest
		}
	}
	oneWord := !strings.Contains(name, ".") && strings.IndexFunc(name[1:], unicode.IsUpper) < 0
	if !linked && !isCall && oneWord && !strings.HasPrefix(behind, "(") && !speaksOf.MatchString(behind) {
		return found
	}
	python := d.pythonNames()[name]
	switch {
	case python == "":
		return strings.Trim(found, "[]") + call
	case python != name && d.isImportedType(name):
		return before + name + call
	}
	return before + python + call
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
				if d.names[name] = d.renamed(name, pythonName(name)); isErrorVariable(x) {
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
		if python == "string" {
			python = "__str__"
		}
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
