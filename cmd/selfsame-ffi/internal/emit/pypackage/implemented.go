package pypackage

import (
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
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
	params := w.parameters(f, true)
	_, fixed := f.Rest()
	return slices.Insert(slices.DeleteFunc(params, func(p string) bool { return p == "/" }), min(fixed, len(params)), "/")
}
