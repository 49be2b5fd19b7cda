package client

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

// place is where a type stands.
type place int

const (
	isParameter place = iota
	isResult          // of a function, or the value of a field
	isElement         // of a container, an optional or a callback
)

// goType returns the Go type of a schema: any for one that Go has no name for.
func (w *writer) goType(s model.Schema, at place) string {
	if c, ok := w.byKey[s.Type]; ok {
		return "*" + c.id
	}
	if object, ok := s.Moved(); ok {
		return w.goType(object, at)
	}
	switch s.Type {
	case "Optional":
		return w.optional(s, at)
	case "ffi.Function", "Callable":
		return w.callback(s, at)
	case "Tuple", "ffi.Tuple", "tuple":
		switch n := len(s.Args); n {
		case 2, 3, 4:
			return "selfsame.Tuple" + strconv.Itoa(n) + "[" + strings.Join(w.elements(s.Args, n), ", ") + "]"
		}
		return "*selfsame.Array[any]"
	case "ffi.Object", "Object":
		return object(at)
	}
	if k, ok := kinds.Named(s.Type); ok {
		return w.goKind(k, s.Args)
	}
	if prefix, _, dotted := strings.Cut(s.Type, "."); dotted && (prefix != "ffi" || strings.Count(s.Type, ".") > 1) && prefix != "go" && len(s.Args) == 0 && w.isClassKey(s.Type) {
		return object(at) // a class of another library or of the runtime's own
	}
	return "any"
}

// goKind returns the Go type of a kind.
func (w *writer) goKind(k kinds.Kind, args []model.Schema) string {
	seen := k.Seen()
	name := cmp.Or(k.Go, seen.Go, "any")
	if path, _, ok := strings.Cut(name, "."); ok && path == "unsafe" {
		w.out.Import(path, path)
	}
	if seen.Args > 0 {
		name += "[" + strings.Join(w.elements(args, seen.Args), ", ") + "]"
	}
	return name
}

// isClassKey reports whether a type could be a class: a schema may also name a record, which is a Map, or another native
// form.
func (w *writer) isClassKey(key string) bool {
	for _, r := range w.library.Content.Records() {
		if r.Key == key {
			return false
		}
	}
	return true
}

// object returns the type for objects of any class. An argument may be any Go value that refers to one.
func object(at place) string {
	if at == isParameter {
		return "selfsame.Native"
	}
	return "selfsame.AnyHandle"
}

// elements returns the types of n elements; what the schema does not name is any.
func (w *writer) elements(args []model.Schema, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "any"
		if i < len(args) {
			out[i] = w.goType(args[i], isElement)
		}
	}
	return out
}

// optional returns the type of a value or None. Where nil is None already, it is the type itself.
func (w *writer) optional(s model.Schema, at place) string {
	if len(s.Args) != 1 {
		return "any"
	}
	inner := w.goType(s.Args[0], at)
	_, declared := w.byKey[s.Args[0].Type]
	switch {
	case inner == "any" || inner == "selfsame.Native" || inner == "selfsame.AnyHandle" || declared,
		strings.HasPrefix(inner, "selfsame.Optional["):
		return inner
	case strings.HasPrefix(inner, "func("):
		return "*selfsame.Function"
	case strings.HasPrefix(inner, "*") && at == isParameter:
		return inner
	}
	return "selfsame.Optional[" + inner + "]"
}

// callback returns the type of a function: a func type for a parameter whose schema has the function's types.
func (w *writer) callback(s model.Schema, at place) string {
	if at != isParameter || len(s.Args) == 0 {
		return "*selfsame.Function"
	}
	var params []string
	for _, a := range s.Args[1:] {
		params = append(params, w.goType(a, isElement))
	}
	text := "func(" + strings.Join(params, ", ") + ") "
	result, _ := s.Args[0].OrError() // C++ takes a value of the type; the func's error is thrown
	if result.Type == "None" {
		return text + "error"
	}
	return text + "(" + w.goType(result, isElement) + ", error)"
}
