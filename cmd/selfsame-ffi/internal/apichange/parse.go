// Package apichange compares two versions of the Python interface of a package: the classes, functions, fields and constants that the
// tool's Python files declare, with their parameters, types and docs.
package apichange

import (
	"regexp"
	"strings"
)

// Entry is one name of an interface.
type Entry struct {
	Kind     string      `json:"kind"`               // class, function, method, static method, property, field or value
	Bases    []string    `json:"bases,omitempty"`    // of a class
	Params   []Parameter `json:"params,omitempty"`   // without that of the object
	Type     string      `json:"type,omitempty"`     // of a result, a field or a value
	Writable bool        `json:"writable,omitempty"` // of a property
	Value    string      `json:"value,omitempty"`    // of a constant
	Doc      string      `json:"doc,omitempty"`
}

// Parameter is a parameter as Python declares it. Name is "/" and "*" for the marks of kinds.
type Parameter struct {
	Name    string `json:"name"`
	Type    string `json:"type,omitempty"`
	Default string `json:"default,omitempty"` // "": it is required
}

// Interface has the entries of a package by their names, such as Bitmap.add.
type Interface map[string]*Entry

var (
	classLine = regexp.MustCompile(`^class (\w+)(?:\((.*)\))?:`)
	defLine   = regexp.MustCompile(`^( *)(?:async )?def (\w+)\((.*)\)(?: -> (.*?))?:( \.\.\.)?(?:  # type: ignore.*)?$`)
	fieldLine = regexp.MustCompile(`^    (\w+): ([^=]+?)(?: = .*)?$`)
	valueLine = regexp.MustCompile(`^(\w+)(?:: ([^=]+?))? = (.+)$`)
)

// Parse adds what a Python file of the tool declares. Such a file has each declaration on a line, four columns for each level, and
// docstrings behind them.
func (in Interface) Parse(text string) {
	class, decorators := "", []string{}
	lines := strings.Split(strings.ReplaceAll(text, "_builtins.", ""), "\n") // written where a name beside hides the builtin
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		bare := strings.TrimSpace(line)
		switch {
		case bare == "":
			continue
		case strings.HasPrefix(bare, "@"):
			decorators = append(decorators, bare)
			continue
		case strings.HasPrefix(bare, `"""`):
			for !strings.HasSuffix(bare, `"""`) || len(bare) < 6 {
				if i++; i == len(lines) {
					return
				}
				if bare = strings.TrimSpace(lines[i]); strings.HasSuffix(bare, `"""`) {
					break
				}
			}
			continue
		}
		if line[0] != ' ' {
			class = ""
		}
		if m := classLine.FindStringSubmatch(line); m != nil {
			class = m[1]
			in.add(class, &Entry{Kind: "class", Bases: split(m[2]), Doc: docAt(lines, i+1)})
		} else if m := defLine.FindStringSubmatch(line); m != nil && (class != "" || m[1] == "") {
			in.function(class, m, decorators, docAt(lines, i+1))
		} else if m := fieldLine.FindStringSubmatch(line); m != nil && class != "" {
			in.add(class+"."+m[1], &Entry{Kind: "field", Type: m[2], Doc: docAt(lines, i+1)})
		} else if m := valueLine.FindStringSubmatch(line); m != nil {
			in.add(m[1], &Entry{Kind: "value", Type: m[2], Value: m[3]})
		}
		decorators = nil
	}
}

// add adds an entry unless its name is private.
func (in Interface) add(name string, e *Entry) {
	if last := name[strings.LastIndexByte(name, '.')+1:]; strings.HasPrefix(last, "_") && !strings.HasSuffix(last, "__") {
		return
	}
	if name == "__all__" || name == "__version__" || strings.HasSuffix(name, ".__slots__") {
		return
	}
	in[name] = e
}

// function adds a function or a method by the parts of its line.
func (in Interface) function(class string, m, decorators []string, doc string) {
	e := &Entry{Kind: "function", Type: m[4], Doc: doc}
	name := m[2]
	for _, text := range split(m[3]) {
		e.Params = append(e.Params, parameter(text))
	}
	if class != "" {
		name, e.Kind = class+"."+name, "method"
	}
	for _, d := range decorators {
		switch {
		case d == "@staticmethod" || d == "@classmethod":
			e.Kind = "static method"
		case d == "@property":
			e.Kind = "property"
		case strings.HasSuffix(d, ".setter"):
			if getter := in[name]; getter != nil {
				getter.Writable = true
			}
			return
		}
	}
	if len(e.Params) > 0 && class != "" && e.Kind != "static method" {
		e.Params = e.Params[1:]
	}
	in.add(name, e)
}

// parameter reads one parameter.
func parameter(text string) Parameter {
	var p Parameter
	if before, after, ok := cut(text, '='); ok {
		text, p.Default = strings.TrimSpace(before), strings.TrimSpace(after)
	}
	if before, after, ok := cut(text, ':'); ok {
		text, p.Type = before, strings.TrimSpace(after)
	}
	p.Name = strings.TrimSpace(text)
	return p
}

// docAt returns the docstring that begins at a line, "" without one.
func docAt(lines []string, i int) string {
	if i >= len(lines) || !strings.HasPrefix(strings.TrimSpace(lines[i]), `"""`) {
		return ""
	}
	text := strings.TrimPrefix(strings.TrimSpace(lines[i]), `"""`)
	for !strings.HasSuffix(text, `"""`) {
		if i++; i == len(lines) {
			break
		}
		text += "\n" + strings.TrimSpace(lines[i])
	}
	return strings.TrimSpace(strings.TrimSuffix(text, `"""`))
}

// split cuts a list at the commas that are in no brackets and no string.
func split(list string) []string {
	var parts []string
	for rest, more := list, true; more; {
		var part string
		part, rest, more = cut(rest, ',')
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// cut cuts a text at the first separator that is in no brackets and no string.
func cut(text string, separator byte) (before, after string, found bool) {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == separator && depth == 0:
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}
