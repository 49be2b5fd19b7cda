package pypackage

import (
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// implementable returns the keys of the classes that stand for Go interfaces whose methods Python classes define. Python gives
// these to Go somewhere: as an argument, in a field, or as the result of a callback or of a method of such a class. Their objects are
// made without arguments. An interface of which Go alone makes values keeps the signatures that callers like.
func (m *Module) implementable() map[string]bool {
	classes := map[string]*model.Class{}
	for i, c := range m.Content.Classes {
		if c.Init != nil && len(c.Init.Args) == 0 {
			classes[c.Key] = &m.Content.Classes[i]
		}
	}
	found := map[string]bool{}
	var look func(s model.Schema, given bool)
	look = func(s model.Schema, given bool) {
		for i, a := range s.Args {
			look(a, given == (s.Type != "ffi.Function" || i == 0)) // Go makes the arguments of a function that Python gives
		}
		if !given || s.Type != "go.Interface" || len(s.Args) == 0 || found[s.Args[0].Type] {
			return
		}
		c := classes[s.Args[0].Type]
		if c == nil {
			return
		}
		found[c.Key] = true
		for _, f := range c.Methods {
			look(f.Result, true)
		}
	}
	for f := range m.Content.Callables() {
		for _, s := range f.Args {
			look(s, true)
		}
		for _, field := range f.ByName {
			look(field.Type, true)
		}
		look(f.Result, false)
	}
	for _, c := range m.Content.Classes {
		for _, f := range c.Fields {
			look(f.Type, f.Writable)
		}
	}
	return found
}

// overridable returns the parameters of a method as Python classes define it: Go calls it with all arguments, in their places, which
// may have other names there. Contexts and keywords for the fields of options are for callers of Go's own objects.
func (w *writer) overridable(f model.Function) []string {
	f.ByName, f.ArgDefaults, f.Keywords = nil, nil, false
	f.Args = filling(f)
	params := w.parameters(f, true)
	_, fixed := f.Rest()
	return slices.Insert(slices.DeleteFunc(params, func(p string) bool { return p == "/" }), min(fixed, len(params)), "/")
}

// filling returns the types of the parameters of such a method, with Go's memory in the place of the bytes that it fills: it gets one bytes
// and returns how many it has filled. internal/engine/call/filling.go does so.
func filling(f model.Function) []model.Schema {
	isBytes := func(s model.Schema) bool { return s.Type == "ffi.Bytes" }
	at := slices.IndexFunc(f.Args, isBytes)
	if at < 0 || f.Result.Type != "int" || f.Variadic || naming.Consumes(f.Name) || slices.ContainsFunc(f.Args[at+1:], isBytes) {
		return f.Args
	}
	args := slices.Clone(f.Args)
	args[at] = model.Schema{Type: "go.Numbers", Args: []model.Schema{{Type: "int"}}}
	return args
}
