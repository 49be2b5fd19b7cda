package client

import (
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// callable is a func or method that the package has for a native function.
type callable struct {
	model.Function
	id, variable string
	receiver     string // the type of a method's object; "" for a func
	find         string // the expression of the Callee, with %s for its func type
	first        string // the first sentence of the doc
}

// mostArguments is how many arguments the funcs Invoke and Do of package gen take.
const mostArguments = 8

// write writes the Callee and the func.
func (w *writer) write(f *callable) {
	result := ""
	var keywords []string
	f.Function, keywords = f.InOrder()
	value, orError := f.Result.OrError()
	if !f.Typed && f.Result.Type == "" {
		result = "any"
	} else if value.Type != "None" {
		result = w.goType(value, isResult)
	}
	receiver, args := "", []string{}
	var types []string
	if f.receiver != "" {
		receiver, args, types = "(h "+f.receiver+") ", []string{"h"}, []string{f.receiver}
	}
	params := []string{}
	rest := ""
	if !f.Typed {
		params, rest = append(params, "args ...any"), "args"
	}
	element, fixed := f.Rest()
	var goTypes []string
	for _, s := range f.Args[:fixed] {
		goTypes = append(goTypes, w.goType(s, isParameter))
	}
	if f.Typed && f.Variadic {
		goTypes = append(goTypes, w.goType(element, isElement))
	}
	names := parameters(f.ArgNames, goTypes)
	given := w.options(f, goTypes[:fixed], names)
	required := slices.Clone(args) // the object of a method
	for i := range fixed {
		name := names[i]
		if given != nil && i >= given.first {
			name = "options." + given.fields[i-given.first]
		} else {
			params = append(params, names[i]+" "+goTypes[i])
		}
		args, types = append(args, name), append(types, goTypes[i])
		required = append(required, "")
		if isRequired(f.Args[i], goTypes[i]) {
			required[len(required)-1] = names[i]
		}
	}
	if given != nil {
		params = append(params, "options *"+given.id)
	}
	if f.Typed && f.Variadic {
		rest = names[fixed]
		params = append(params, rest+" ..."+goTypes[fixed])
	}
	results := "error"
	if result != "" {
		results = "(" + result + ", error)"
	}
	if keywords != nil {
		args = withKeywords(args, keywords)
	}
	packed := rest != "" || len(args) > mostArguments || keywords != nil
	funcType := "func(" + strings.Join(types, ", ") + ") " + results
	if packed {
		funcType = "func(...any) (any, error)"
		if result != "" {
			funcType = "func(...any) " + results
		}
	}
	find := strings.Replace(f.find, "%s", funcType, 1) // a name behind it may have a % too
	if orError {
		find += ".ResultOrError()"
	}
	for len(required) > 0 && required[len(required)-1] == "" {
		required = required[:len(required)-1]
	}
	if len(required) > 0 {
		find += ".Required(" + quoted(required) + ")"
	}
	w.line("var %s = %s", f.variable, find)
	w.line("")
	w.documented(f, given)
	w.line("func %s%s(%s) %s {", receiver, f.id, strings.Join(params, ", "), results)
	if given != nil {
		w.line("if options == nil {")
		w.line("options = Default%s()", given.id)
		w.line("}")
	}
	if packed {
		w.packedCall(f, args, rest, result)
	} else {
		verb := "Invoke"
		if result == "" {
			verb = "Do"
		}
		w.line("return gen.%s%d(%s)", verb, len(args), strings.Join(append([]string{f.variable}, args...), ", "))
	}
	w.line("}")
	w.line("")
}

// isRequired says whether nil must not be given for a parameter: it is an object, and nothing says that it may be None.
func isRequired(s model.Schema, goType string) bool {
	moved, _ := s.Moved()
	isObject := strings.HasPrefix(goType, "*") && !strings.HasPrefix(goType, "*selfsame.Array[") && !strings.HasPrefix(goType, "*selfsame.Map[")
	return moved.Type != "Optional" && (isObject && goType != "*selfsame.Function" || goType == "selfsame.Native")
}

func quoted(texts []string) string {
	var out []string
	for _, text := range texts {
		out = append(out, escape.GoString(text))
	}
	return strings.Join(out, ", ")
}

// withKeywords returns the arguments of a call, of which the last have names that the library wants in front of each.
func withKeywords(args, names []string) []string {
	first := len(args) - len(names)
	made := append(slices.Clone(args[:first]), "gen.Keywords()")
	for i, name := range names {
		made = append(made, escape.GoString(name), args[first+i])
	}
	return made
}

// packedCall writes the body of a func with more arguments than the typed calls take, or any number: args, and those in
// rest.
func (w *writer) packedCall(f *callable, args []string, rest, result string) {
	all := strings.Join(args, ", ")
	switch {
	case rest == "":
	case !f.Typed && len(args) == 0:
		all = "args..."
	case !f.Typed:
		all = fmt.Sprintf("append([]any{%s}, args...)...", all)
	default:
		w.line("all := []any{%s}", all)
		w.line("for _, value := range %s {", rest)
		w.line("all = append(all, value)")
		w.line("}")
		all = "all..."
	}
	if all != "" {
		all = ", " + all
	}
	if result == "" {
		w.line("_, err := gen.InvokeAll(%s%s)", f.variable, all)
		w.line("return err")
		return
	}
	w.line("return gen.InvokeAll(%s%s)", f.variable, all)
}
