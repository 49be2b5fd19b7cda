package hosted

import (
	"fmt"
	"go/token"
	"strings"
	"unicode"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pymodule"
)

// call is a function of Python that becomes a method of Go.
type call struct {
	owner, receiver string // the method's type and receiver
	on              string // the variable with the object that has the function
	of              string // the class that is that object, "" if it is the receiver
	isDict          bool   // whether it makes a dict of its arguments, for a TypedDict
	f               *pymodule.Function
	shown, as       string // its name in the coverage; its Go name, "" for the function's own
}

// option is a field of the struct of options.
type option struct{ name, goType, python, value string }

// writing is a call as it is being written.
type writing struct {
	*call
	reasons                []string
	params, args, keywords []string
	options                []option
	placed                 []string // the options that are given by their place, as Go writes their names in Python
	variadic, all          bool     // whether there are *args, and **keywords
	failure                string   // the statement that ends the method with an error
}

func (w *writer) function(c *call, members map[string]bool) {
	name := c.as
	if name == "" {
		name = exported(c.f.Name)
	}
	name = unused(members, name)
	m := &writing{call: c}
	goType, result := w.resultOf(m)
	w.parameters(m)
	if len(m.options) > 0 {
		m.params = append(m.params, "options ..."+w.options(c, name, m.options, m.all))
	}
	w.count(c.shown, m.reasons)
	w.Comment(fmt.Sprintf("%s calls the Python function %s.", name, c.shown), c.f.Doc)
	text := fmt.Sprintf("(%s) %s", strings.Join(m.params, ", "), goType)
	w.signatures = append(w.signatures, signature{name: name, python: c.f.Name, text: text})
	w.Printf("func (%s *%s) %s%s {\n", c.receiver, c.owner, name, text)
	m.failure = failureOf(goType, result)
	if c.of != "" {
		w.Printf("\tclass, err := %s.Object.Attr(%q)\n\tif err != nil {\n\t\t%s\n\t}\n", c.receiver, c.of, m.failure)
	}
	w.Printf("\treturn %s\n}\n\n", m.converted(result, w.called(m)))
}

// failureOf returns the statement that ends a method of a type with the error err.
func failureOf(goType, result string) string {
	switch {
	case goType == "error":
		return "return err"
	case strings.HasPrefix(goType, "iter."):
		return "return " + fmt.Sprintf(result, "nil, err")
	case isNilable(strings.TrimPrefix(goType, "(")):
		return "return nil, err"
	}
	return "return *new(" + strings.TrimSuffix(strings.TrimPrefix(goType, "("), ", error)") + "), err"
}

// converted returns the expression that makes the result of a call; for a scalar it is one call of Python.
func (m *writing) converted(result, called string) string {
	given, isMethod := strings.CutPrefix(called, m.on+".CallMethod(")
	switch of := strings.TrimSuffix(strings.TrimPrefix(result, "python.As["), "](%s)"); of {
	case "int", "float64", "bool", "string":
		if isMethod {
			on := m.on
			if m.owner != "Module" && m.of == "" { // the field of a class; a module and a class as an object are handles
				on = "&" + on
			}
			return fmt.Sprintf("python.CallMethodAs[%s](%s, %s", of, on, given)
		}
	}
	return fmt.Sprintf(result, called)
}

// parameters sorts the parameters into those that are required, by place or by keyword, and options.
func (w *writer) parameters(m *writing) {
	locals, fields := map[string]bool{m.receiver: true}, map[string]bool{}
	for _, name := range []string{"class", "err", "keywords", "options", "python", "args", "all", "iter", "context", "time", "ctx", "body"} {
		locals[name] = true
	}
	for i := range m.f.Params {
		p := &m.f.Params[i]
		switch {
		case p.Kind == "varargs":
			m.variadic = true
		case p.Kind == "keywords":
			m.all = true
		case p.Required:
			local := unused(locals, parameter(p.Name))
			m.params = append(m.params, local+" "+w.param(&p.Type, &m.reasons))
			if as := w.implements(&p.Type); as != "" {
				local = as + "(" + local + ")"
			}
			if p.Kind == "keyword" {
				m.keywords = append(m.keywords, fmt.Sprintf("%q: %s", p.Name, local))
			} else {
				m.args = append(m.args, local)
			}
		default:
			if p.Kind == "positional-only" {
				m.placed = append(m.placed, fmt.Sprintf("%q", p.Name))
			}
			m.options = append(m.options, w.option(p, fields, &m.reasons))
		}
	}
	if m.all {
		m.options = append(m.options, option{name: unused(fields, "Others")})
	}
	if m.variadic {
		m.params = append(m.params, "args []any")
	}
	if m.f.Async || m.f.Result.Kind == "awaitable" || m.f.Result.Kind == "async-iterator" {
		m.params = append([]string{"ctx context.Context"}, m.params...)
	}
	if m.f.Result.Kind == "context" && m.of == "" {
		m.params = append(m.params, "body func(entered "+w.entered(m)+") error")
	}
}

// called returns the expression of the call, after what it needs before it.
func (w *writer) called(m *writing) string {
	given := strings.Join(append([]string{fmt.Sprintf("%q", m.f.Name)}, m.args...), ", ")
	hasKeywords := len(m.options) > 0 || len(m.keywords) > 0 || m.isDict
	if hasKeywords {
		w.Printf("\tkeywords := python.Kw{%s}\n", strings.Join(m.keywords, ", "))
		if len(m.options) > 0 {
			w.Print("\tfor i := range options {\n\t\toptions[i].into(keywords)\n\t}\n")
		}
		given += ", keywords"
	}
	if m.isDict {
		return "python.NewDict(keywords)"
	}
	if m.variadic || len(m.placed) > 0 {
		rest := "nil"
		if m.variadic {
			rest = "args"
		}
		if len(m.placed) > 0 {
			w.Printf("\tall, err := python.Placed([]any{%s}, keywords, []string{%s}, %s)\n\tif err != nil {\n\t\t%s\n\t}\n",
				strings.Join(m.args, ", "), strings.Join(m.placed, ", "), rest, m.failure)
		} else {
			w.Printf("\tall := append([]any{%s}, args...)\n", strings.Join(m.args, ", "))
		}
		if hasKeywords {
			w.Print("\tall = append(all, keywords)\n")
		}
		given = fmt.Sprintf("%q, all...", m.f.Name)
	}
	return fmt.Sprintf("%s.CallMethod(%s)", m.on, given)
}

// resultOf returns the results of the method as Go writes them, and the expression that makes them of the call's result.
func (w *writer) resultOf(m *writing) (goType, expression string) {
	t, called := m.f.Result, "%s"
	if m.f.Async || t.Kind == "awaitable" {
		w.Import("context", "context")
		called = "python.Await(ctx)(%s)"
		if t.Kind == "awaitable" {
			t = t.Of[0]
		}
	}
	switch t.Kind {
	case "none":
		return "error", "python.Done(" + called + ")"
	case "context":
		if m.of == "" {
			return "error", "python.With(body)(" + called + ")"
		}
	case "async-iterator":
		w.Import("context", "context")
		if m.of == "" {
			goType, expression = w.iterator(&t)
			return goType, expression
		}
	case "iterator":
		if m.of == "" {
			goType, expression = w.iterator(&t)
			return goType, fmt.Sprintf(expression, called)
		}
		t = pymodule.Type{Kind: "any", Text: "it is an iterator"}
	}
	goType, expression = w.result(&t, &m.reasons)
	return "(" + goType + ", error)", fmt.Sprintf(expression, called)
}

// iterator returns the Go type of an iterator, and the expression that makes it.
func (w *writer) iterator(t *pymodule.Type) (goType, expression string) {
	w.Import("iter", "iter")
	of := w.element(&t.Of[0])
	if of == "" {
		of = "*python.Object"
	}
	if t.Kind == "async-iterator" {
		return "iter.Seq2[" + of + ", error]", "python.IterateAsync[" + of + "](ctx)(%s)"
	}
	return "iter.Seq2[" + of + ", error]", "python.Iterate[" + of + "](%s)"
}

// entered returns the Go type of what a context manager that a function returns gives to its body.
func (w *writer) entered(m *writing) string {
	if of := w.element(&m.f.Result.Of[0]); of != "" && of != "any" {
		return of
	}
	return "*python.Object"
}

func (w *writer) option(p *pymodule.Param, fields map[string]bool, reasons *[]string) option {
	o := option{name: unused(fields, exported(p.Name)), python: p.Name}
	o.goType = w.param(&p.Type, reasons)
	o.value = "o." + o.name
	if as := w.implements(&p.Type); as != "" && p.Type.Kind != "optional" {
		o.value = as + "(o." + o.name + ")"
		return o
	}
	switch {
	case p.Type.Kind == "optional": // nil is for an option that is not given, so python.None says None
		o.goType = "any"
	case isNilable(o.goType):
	default:
		o.goType, o.value = "*"+o.goType, "*o."+o.name
	}
	return o
}

// options writes the struct of a function's options and returns its name.
func (w *writer) options(c *call, name string, options []option, all bool) string {
	prefix := ""
	if c.owner != "Module" {
		prefix = c.owner
	}
	made := w.top(prefix + name + "Options")
	w.Comment(fmt.Sprintf("%s are options of %s. One that is nil is not given; python.None gives None.", made, c.shown), "")
	w.Printf("type %s struct {\n", made)
	last := options[len(options)-1].name
	for _, o := range options {
		if o.python != "" {
			w.Printf("\t%s %s // %s\n", o.name, o.goType, o.python)
		}
	}
	if all {
		w.Printf("\t%s python.Kw // keyword arguments that have no name here\n", last)
	}
	w.Printf("}\n\nfunc (o *%s) into(keywords python.Kw) {\n", made)
	for _, o := range options {
		if o.python == "" {
			continue
		}
		w.Printf("\tif o.%s != nil {\n\t\tkeywords[%q] = %s\n\t}\n", o.name, o.python, o.value)
	}
	if all {
		w.Printf("\tfor name, value := range o.%s {\n\t\tkeywords[name] = value\n\t}\n", last)
	}
	w.Print("}\n\n")
	return made
}

// parameter returns the name of a parameter in Go.
func parameter(name string) string {
	runes := []rune(exported(name))
	runes[0] = unicode.ToLower(runes[0])
	made := string(runes)
	if token.IsKeyword(made) || strings.Contains(" any bool string int error append len iter nil true false float64 byte ", " "+made+" ") {
		made += "_"
	}
	return made
}
