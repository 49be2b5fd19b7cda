package registry

import (
	"slices"
	"strings"
)

type ClassOptions struct {
	Doc        string
	Init       *Method
	AutoInit   bool
	Methods    []*Method
	Hooks      []*AttrHook
	Final      bool
	Structural StructuralKind
	OnDrop     any
	Plain      bool     // the constructor and the methods have the option Plain
	KeepGIL    bool     // as the option KeepGIL says, for all of them
	Lenient    bool     // a constructor or method that cannot be used is left out and noted
	Operators  []string // what the class has for operators and properties in Python
}

type Method struct {
	Name     string
	Fn       any
	Doc      string
	ArgNames []string
	Static   bool
	Property string // the property that it gets or sets, "" for none
}

// StructuralKind says how structural equality and hashing compare objects of a class.
type StructuralKind int32

// AttrHook is a type attribute of a class, as an option gave it.
type AttrHook struct {
	Name        string
	Fn          any
	Least, Most int  // number of parameters that the func may have; most -1: any value is allowed
	Extra       int  // arguments that the runtime passes beyond `least`; a func need not take them
	Static      bool // the first parameter is not the object
}

// operatorHooks returns the type attribute that tells other languages which operators the class has, and "methods" for
// special methods such as __len__.
func (o *ClassOptions) operatorHooks() []*AttrHook {
	words := o.Operators
	if slices.ContainsFunc(o.Methods, func(m *Method) bool { return strings.HasPrefix(m.Name, "__") }) {
		words = append(words, "methods")
	}
	if len(words) == 0 {
		return nil
	}
	return []*AttrHook{{Name: "__ffi_operators__", Fn: strings.Join(words, " "), Most: -1}}
}
