package hosted

import (
	"fmt"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pymodule"
)

// result returns the Go type of a result, and the expression that makes it, with %s for the call of Python.
func (w *writer) result(t *pymodule.Type, reasons *[]string) (goType, expression string) {
	switch t.Kind {
	case "class":
		name := w.handle(t.Text)
		return "*" + name, "python.Cast[" + name + "](%s)"
	case "optional":
		// None is a nil handle, slice or map.
		if of := w.value(&t.Of[0]); t.Of[0].Kind == "class" || strings.HasPrefix(of, "[]") || strings.HasPrefix(of, "map[") {
			return w.result(&t.Of[0], reasons)
		}
	}
	if goType = w.value(t); goType != "" {
		return goType, "python.As[" + goType + "](%s)"
	}
	*reasons = append(*reasons, "result: "+reasonOf(t))
	return "*python.Object", "%s"
}

// handle returns the Go type of the objects of a class.
func (w *writer) handle(class string) string {
	if w.protocols[class] {
		return w.types[class] + "Object"
	}
	return w.types[class]
}

func reasonOf(t *pymodule.Type) string {
	switch t.Kind {
	case "any":
		return t.Text
	case "awaitable", "iterator", "async-iterator", "context":
		return "it is of the kind " + t.Kind + ", which only the result of a function becomes"
	case "none":
		return "it is None"
	case "callable":
		return "it is a function"
	}
	for i := range t.Of {
		if t.Of[i].Kind == "any" && t.Of[i].Text != "any object" {
			return "a " + t.Kind + " of elements: " + reasonOf(&t.Of[i])
		}
	}
	return "a " + t.Kind + " of such elements"
}

// scalars are the Go types of the kinds without parts.
var scalars = map[string]string{
	"int": "int", "bool": "bool", "float": "float64", "str": "string", "bytes": "[]byte", "complex": "complex128",
	"time": "time.Time", "duration": "time.Duration",
}

// value returns the Go type that has a copy of values of a type, with handles of objects as its elements; "" for none.
func (w *writer) value(t *pymodule.Type) string {
	if t.Kind == "time" || t.Kind == "duration" {
		w.Import("time", "time")
	}
	if made := scalars[t.Kind]; made != "" {
		return made
	}
	switch t.Kind {
	case "list":
		return before("[]", w.element(&t.Of[0]))
	case "tuple":
		return before(fmt.Sprintf("[%d]", t.Length), w.element(&t.Of[0]))
	case "dict":
		if key := w.value(&t.Of[0]); key != "" {
			return before("map["+key+"]", w.element(&t.Of[1]))
		}
	case "optional":
		of := w.value(&t.Of[0])
		if !isNilable(of) {
			return before("*", of)
		}
	}
	return ""
}

// element returns the Go type of an element of a container; "" for none.
func (w *writer) element(t *pymodule.Type) string {
	switch {
	case t.Kind == "class":
		return "*" + w.handle(t.Text)
	case t.Kind == "any" && t.Text == "any object":
		return "any"
	}
	return w.value(t)
}

func before(prefix, of string) string {
	if of == "" {
		return ""
	}
	return prefix + of
}

func isNilable(goType string) bool {
	for _, prefix := range []string{"[]", "map[", "*", "func("} {
		if strings.HasPrefix(goType, prefix) {
			return true
		}
	}
	return goType == "any" || goType == ""
}

// param returns the Go type of a parameter.
func (w *writer) param(t *pymodule.Type, reasons *[]string) string {
	class := t
	if t.Kind == "optional" {
		class = &t.Of[0]
	}
	switch {
	case class.Kind == "class" && w.protocols[class.Text]:
		return w.types[class.Text]
	case class.Kind == "class":
		return "*" + w.types[class.Text]
	case class.Kind == "callable":
		return w.callable(class)
	}
	if made := w.value(t); made != "" {
		return made
	}
	// An optional container is an any: nil is None, and an empty one is not.
	if t.Kind == "none" || t.Kind == "optional" && w.value(&t.Of[0]) != "" {
		return "any"
	}
	if t.Kind != "any" || t.Text != "any object" {
		*reasons = append(*reasons, "parameter: "+reasonOf(t))
	}
	return "any"
}

// callable returns the type of a Go func that Python calls.
func (w *writer) callable(t *pymodule.Type) string {
	of := func(t *pymodule.Type) string {
		if made := w.value(t); made != "" && !strings.Contains(made, "*") {
			return made
		}
		return "any"
	}
	parts := make([]string, len(t.Of)-1)
	for i := range parts {
		parts[i] = of(&t.Of[i])
	}
	result := &t.Of[len(parts)]
	if result.Kind == "none" {
		return "func(" + strings.Join(parts, ", ") + ") error"
	}
	return "func(" + strings.Join(parts, ", ") + ") (" + of(result) + ", error)"
}
