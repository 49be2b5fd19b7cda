package pypackage

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// The parts of a module for the stock package tvm_ffi that a module for selfsame_ffi does not need: it loads the
// library itself, and passes keyword arguments to constructors and methods, which the stock package does not support.

// stockText does what the module needs before the classes.
//
// It does what selfsame_ffi.load_extension does. The library binds to the runtime that tvm_ffi has loaded. A failed registration leaves
// a raised error: an Error has kind, message and their sizes behind the 24 bytes of its header. When Python ends, Go stops to release
// objects before Python's objects can be released no more.
//
// _named converts keyword arguments into positional ones for Go: a marker, then names and values in turn. _register registers a class
// whose constructor is written in Go; tvm_ffi by itself would derive the constructor from the fields. _keywords lets methods take
// keyword arguments. _members makes the members of an enum attributes of its class, if their names are not taken. OverflowError, the
// error for a number out of range, is no kind of errors that tvm_ffi knows.
//
// python/src/selfsame_ffi/_core/types/types.h says why.
//
//go:embed stock.py.tmpl
var stockText string

// stockModuleHead writes the part of the module before the classes.
func (w *writer) stockModuleHead() {
	needs := struct {
		Library                       string
		Constructors, Keywords, Enums bool
	}{Library: quote(w.module.Library)}
	for _, c := range w.module.Content.Classes {
		needs.Constructors = needs.Constructors || inGo(c)
		needs.Keywords = needs.Keywords || len(keywordMethods(c)) > 0
		needs.Enums = needs.Enums || len(c.Members) > 0
	}
	w.line(0, "import ctypes as _ctypes")
	if needs.Enums {
		w.line(0, "import keyword as _keyword")
	}
	w.line(0, "import os as _os")
	w.line(0, "import typing as _typing")
	w.line(0, "")
	w.importRuntime()
	if err := template.Must(template.New("stock").Parse(stockText)).Execute(w, needs); err != nil {
		panic(err) // the template is a part of this program
	}
}

// inGo reports whether a class has a constructor that is written in Go.
func inGo(c model.Class) bool { return c.Init != nil && !c.Init.OfFields }

// checkFieldNames fails if the stock package cannot derive a constructor from the fields, because a parameter would
// have the name of a keyword.
func checkFieldNames(c model.Class) error {
	if c.Init == nil {
		return nil
	}
	names := slices.Clone(c.Init.ArgNames)
	for _, field := range c.Init.ByName {
		names = append(names, field.Name)
	}
	for _, name := range names {
		if slices.Contains(naming.Python.Keywords, name) {
			return fmt.Errorf("the stock package cannot make a constructor of %s with a parameter `%s`, a keyword of Python: "+
				"give the field another name, as in `ffi:\"name=%s_\"`", c.Key, name, name)
		}
	}
	return nil
}

// keywordMethods returns the methods of a class that accept keyword arguments.
func keywordMethods(c model.Class) []string {
	var names []string
	for _, m := range c.NamedMethods() {
		if m.Keywords {
			names = append(names, m.Name)
		}
	}
	return names
}

// keywords writes the call that lets the methods of a class accept keyword arguments.
func (w *writer) keywords(c model.Class, name string) {
	methods := keywordMethods(c)
	if len(methods) == 0 {
		return
	}
	for i := range methods {
		methods[i] = quote(methods[i])
	}
	w.line(0, "")
	w.line(0, "")
	w.line(0, "_keywords(%s, %s)", name, strings.Join(methods, ", "))
}

// stockFunctions writes the functions. At run time a name is the Function object itself; type checkers see a signature.
func (w *writer) stockFunctions(globals []global) {
	if len(globals) == 0 {
		return
	}
	w.line(0, "")
	w.line(0, "")
	w.line(0, "if _typing.TYPE_CHECKING:")
	for _, g := range globals {
		w.line(0, "")
		w.define(1, g.id, g.value, nil)
	}
	w.line(0, "")
	w.line(0, "else:")
	for _, g := range globals {
		w.line(1, "%s = _ffi.get_global_func(%s)", g.id, quote(g.value.Name))
	}
}
