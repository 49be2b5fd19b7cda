package selfsame

import (
	"slices"
	"strings"
)

type classOptions struct {
	doc        string
	init       *method
	autoInit   bool
	methods    []*method
	hooks      []*attrHook
	final      bool
	structural StructuralKind
	onDrop     any
	plain      bool     // the constructor and the methods have the option Plain
	keepGIL    bool     // as the option KeepGIL says, for all of them
	operators  []string // what the class has for operators and properties in Python
}

type method struct {
	name     string
	fn       any
	doc      string
	argNames []string
	static   bool
	property string // the property that it gets or sets, "" for none
}

// StructuralKind says how structural equality and hashing compare objects of a class.
type StructuralKind int32

// attrHook is a type attribute of a class, as an option gave it.
type attrHook struct {
	name        string
	fn          any
	least, most int  // number of parameters that the func may have; most -1: any value is allowed
	extra       int  // arguments that the runtime passes beyond `least`; a func need not take them
	static      bool // the first parameter is not the object
}

// operatorHooks returns the type attribute that tells other languages which operators the class has, and "methods" for
// special methods such as __len__.
func (o *classOptions) operatorHooks() []*attrHook {
	words := o.operators
	if slices.ContainsFunc(o.methods, func(m *method) bool { return strings.HasPrefix(m.name, "__") }) {
		words = append(words, "methods")
	}
	if len(words) == 0 {
		return nil
	}
	return []*attrHook{{name: "__ffi_operators__", fn: strings.Join(words, " "), most: -1}}
}
