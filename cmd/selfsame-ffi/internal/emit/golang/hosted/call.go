package hosted

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pymodule"
)

// call is a function of Python that becomes a method of Go.
type call struct {
	owner, receiver string // the method's type and receiver
	on              string // the variable with the object that has the function
	of              string // the class that is that object, "" if it is the receiver
	f               *pymodule.Function
	shown, as       string // its name in the coverage; its Go name, "" for the function's own
}

// option is a field of the struct of options.
type option struct{ name, goType, python, value string }

func (w *writer) function(c *call, members map[string]bool) {
	name := c.as
	if name == "" {
		name = exported(c.f.Name)
	}
	name = unused(members, name)
	var reasons []string
	var params, args []string
	var options []option
	locals, fields := map[string]bool{c.receiver: true, "class": true, "err": true, "keywords": true, "options": true, "python": true, "args": true}, map[string]bool{}
	keywords := []string{}
	variadic := ""
	for i := range c.f.Params {
		p := &c.f.Params[i]
		switch {
		case p.Kind == "varargs":
			variadic = "args"
			params = append(params, "args []any")
		case p.Required:
			local := unused(locals, parameter(p.Name))
			params = append(params, local+" "+w.param(&p.Type, &reasons))
			if p.Kind == "keyword" {
				keywords = append(keywords, fmt.Sprintf("%q: %s", p.Name, local))
			} else {
				args = append(args, local)
			}
		case p.Kind == "positional-only":
			reasons = append(reasons, "the parameter "+p.Name+" can only be given by its place, and is left out")
		default:
			options = append(options, w.option(p, fields, &reasons))
		}
	}
	if len(options) > 0 {
		name_ := w.options(c, name, options)
		params = append(params, "options ..."+name_)
	}
	goType, result := w.resultOf(c, &reasons)
	w.count(c.shown, reasons)
	w.Comment(fmt.Sprintf("%s calls the Python function %s.", name, c.shown), c.f.Doc)
	w.Printf("func (%s *%s) %s(%s) %s {\n", c.receiver, c.owner, name, strings.Join(params, ", "), goType)
	if c.of != "" {
		failure := "return nil, err"
		switch {
		case goType == "error":
			failure = "return err"
		case !strings.HasPrefix(goType, "(*") && !strings.HasPrefix(goType, "([]") && !strings.HasPrefix(goType, "(map"):
			failure = "return *new(" + strings.TrimSuffix(strings.TrimPrefix(goType, "("), ", error)") + "), err"
		}
		w.Printf("\tclass, err := %s.Attr(%q)\n\tif err != nil {\n\t\t%s\n\t}\n", c.receiver, c.of, failure)
	}
	given := strings.Join(append([]string{fmt.Sprintf("%q", c.f.Name)}, args...), ", ")
	switch {
	case len(options) > 0 || len(keywords) > 0:
		w.Printf("\tkeywords := python.Kw{%s}\n", strings.Join(keywords, ", "))
		if len(options) > 0 {
			w.Print("\tfor i := range options {\n\t\toptions[i].into(keywords)\n\t}\n")
		}
		if variadic == "" {
			given += ", keywords"
		}
	}
	if variadic != "" {
		w.Printf("\tall := append([]any{%s}, args...)\n", strings.Join(args, ", "))
		if len(options) > 0 || len(keywords) > 0 {
			w.Print("\tall = append(all, keywords)\n")
		}
		given = fmt.Sprintf("%q, all...", c.f.Name)
	}
	called := fmt.Sprintf("%s.CallMethod(%s)", c.on, given)
	if goType == "error" {
		w.Printf("\treturn python.Done(%s)\n}\n\n", called)
		return
	}
	w.Printf("\treturn "+result+"\n}\n\n", called)
}

// resultOf returns the results of the method as Go writes them.
func (w *writer) resultOf(c *call, reasons *[]string) (goType, expression string) {
	t := &c.f.Result
	switch t.Kind {
	case "none":
		return "error", ""
	case "iterator":
		w.Import("iter", "iter")
		of := w.value(&t.Of[0])
		if of == "" {
			of = "*python.Object"
		}
		if c.of == "" {
			return "iter.Seq2[" + of + ", error]", "python.Iterate[" + of + "](%s)"
		}
		t = &pymodule.Type{Kind: "any", Text: "it is an iterator"}
	}
	goType, expression = w.result(t, reasons)
	return "(" + goType + ", error)", expression
}

func (w *writer) option(p *pymodule.Param, fields map[string]bool, reasons *[]string) option {
	o := option{name: unused(fields, exported(p.Name)), python: p.Name}
	o.goType = w.param(&p.Type, reasons)
	o.value = "o." + o.name
	switch {
	case p.Type.Kind == "optional": // nil is for an option that is not given, so python.None says None
		o.goType = "any"
	case o.goType == "any", strings.HasPrefix(o.goType, "*"), strings.HasPrefix(o.goType, "[]"), strings.HasPrefix(o.goType, "map"):
	default:
		o.goType, o.value = "*"+o.goType, "*o."+o.name
	}
	return o
}

// options writes the struct of a function's options and returns its name.
func (w *writer) options(c *call, name string, options []option) string {
	prefix := ""
	if c.owner != "Module" {
		prefix = c.owner
	}
	made := w.top(prefix + name + "Options")
	w.Comment(fmt.Sprintf("%s are options of %s. One that is nil is not given; python.None gives None.", made, c.shown), "")
	w.Printf("type %s struct {\n", made)
	for _, o := range options {
		w.Printf("\t%s %s // %s\n", o.name, o.goType, o.python)
	}
	w.Printf("}\n\nfunc (o *%s) into(keywords python.Kw) {\n", made)
	for _, o := range options {
		w.Printf("\tif o.%s != nil {\n\t\tkeywords[%q] = %s\n\t}\n", o.name, o.python, o.value)
	}
	w.Print("}\n\n")
	return made
}

// parameter returns the name of a parameter in Go.
func parameter(name string) string {
	made := exported(name)
	made = strings.ToLower(made[:1]) + made[1:]
	if token.IsKeyword(made) || strings.Contains(" any bool string int error append len iter nil true false float64 byte ", " "+made+" ") {
		made += "_"
	}
	return made
}
