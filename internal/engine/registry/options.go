package registry

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/selfsame-ffi/selfsame/internal/fault"
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

	MethodOptions []MethodOptions
	inMemory      map[accessor]MemoryUse
}

// EnumAttr is the type attribute of an enum class that has the state of its members.
const EnumAttr = "__ffi_enum__"

// Variable is what makes the option gen.Variable, which only the public package can make. It is set when that is initialised.
var Variable func(name string) any

// Lenient is the option gen.Lenient, which only the public package can make. It is set when that is initialised.
var Lenient any

var extensions sync.Map // reflect.Type of a class struct -> func(*ClassOptions)

// Extend adds to the options with which a class will be registered. One goroutine at a time may call it.
func Extend(class reflect.Type, add func(o *ClassOptions)) {
	if before, ok := extensions.Load(class); ok {
		first, then := before.(func(*ClassOptions)), add
		add = func(o *ClassOptions) { first(o); then(o) }
	}
	extensions.Store(class, add)
}

// extend adds what Extend was given for the class.
func (c Registration) extend(o *ClassOptions) {
	if add, ok := extensions.LoadAndDelete(c.GoType); ok {
		add.(func(*ClassOptions))(o)
	}
}

// MethodOptions are the options of one method.
type MethodOptions struct {
	Name string
	*FuncOptions
}

// constructorName is the name that stands for the constructor in MethodOptions.
const constructorName = "__init__"

// optionsOf returns the options of a method: its own, and those that the class gives to all.
func (o *ClassOptions) optionsOf(name string) FuncOptions {
	all := FuncOptions{Plain: o.Plain, KeepGIL: o.KeepGIL}
	for _, of := range o.MethodOptions {
		if of.Name == name {
			all.Plain, all.KeepGIL = all.Plain || of.Plain, all.KeepGIL || of.KeepGIL
			all.Lazy, all.Isolated = all.Lazy || of.Lazy, all.Isolated || of.Isolated
		}
	}
	return all
}

// checkMethodOptions refuses options of a method that the class has not, and options that no method has.
func (o *ClassOptions) checkMethodOptions(key string) error {
	for _, of := range o.MethodOptions {
		if of.Override || of.Lenient || of.Doc != "" || of.ArgNames != nil {
			return fault.New("ValueError", "selfsame: MethodOptions: `%s.%s`: expected KeepGIL, Isolated, Lazy or Plain, got another "+
				"option", key, of.Name)
		}
		isConstructor := of.Name == constructorName && o.Init != nil
		if !isConstructor && !slices.ContainsFunc(o.Methods, func(m *Method) bool { return m.Name == of.Name }) {
			return fault.New("ValueError", "selfsame: MethodOptions: class `%s` has no method `%s`", key, of.Name)
		}
	}
	return nil
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
// special methods such as __len__, and "wrapped" for a class of Go values of another package.
func (c Registration) operatorHooks(o *ClassOptions) []*AttrHook {
	words := o.Operators
	if c.Foreign != nil {
		words = append(words, "wrapped")
	}
	if slices.ContainsFunc(o.Methods, func(m *Method) bool { return strings.HasPrefix(m.Name, "__") }) {
		words = append(words, "methods")
	}
	if len(words) == 0 {
		return nil
	}
	return []*AttrHook{{Name: "__ffi_operators__", Fn: strings.Join(words, " "), Most: -1}}
}
