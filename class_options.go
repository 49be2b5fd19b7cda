package selfsame

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
)

// Final forbids classes of any language to derive from the class.
func Final() ClassOption { return classOption(func(o *registry.ClassOptions) { o.Final = true }) }

// AutoInit gives the class the constructor that the runtime derives from its fields, instead of [Init]: one argument per
// visible field, inherited ones first, fields with a default after those without. Callers may pass arguments by name. The
// tag `ffi:"init=off"` leaves a field out, `ffi:"kwonly"` makes it a keyword argument.
func AutoInit() ClassOption { return classOption(func(o *registry.ClassOptions) { o.AutoInit = true }) }

// Repr sets the text of an object, in every language: fn is a func(*T) string, or a func(*T, *Function) (string, error)
// whose second argument returns the text of any value.
func Repr(fn any) ClassOption { return hook("__ffi_repr__", fn, 1, 2) }

// Equality replaces comparison by identity, for keys of containers, for recursive comparison, and for ==, != and hash()
// in Python. There an object of another class is never equal. equal is a func(a, b *T) bool; hash is a func(*T) int64
// that returns the same number for equal objects.
func Equality(equal, hash any) ClassOption {
	return classOption(func(o *registry.ClassOptions) {
		o.Hooks = append(o.Hooks,
			&registry.AttrHook{Name: "__any_equal__", Fn: equal, Least: 2, Most: 2},
			&registry.AttrHook{Name: "__ffi_eq__", Fn: equal, Least: 2, Most: 3, Extra: 1},
			&registry.AttrHook{Name: "__any_hash__", Fn: hash, Least: 1, Most: 1},
			&registry.AttrHook{Name: "__ffi_hash__", Fn: hash, Least: 1, Most: 2, Extra: 1})
		o.Operators = append(o.Operators, "eq")
	})
}

// Order makes objects comparable: in recursive comparison, and with <, <=, > and >= in Python, where an object of another
// class is a TypeError. compare is a func(a, b *T) int with results as those of cmp.Compare.
func Order(compare any) ClassOption {
	return classOption(func(o *registry.ClassOptions) {
		o.Hooks = append(o.Hooks, &registry.AttrHook{Name: "__ffi_compare__", Fn: compare, Least: 2, Most: 3, Extra: 1})
		o.Operators = append(o.Operators, "order")
	})
}

// Property adds an attribute that Go funcs compute: get is a func(*T) V or func(*T) (V, error), set is nil for one that
// cannot be set, or a func(*T, V) or func(*T, V) error. Languages without properties call the methods name and set_name.
//
//go:noinline
func Property(name string, get, set any, doc string) ClassOption {
	return classOption(func(o *registry.ClassOptions) {
		o.Methods = append(o.Methods, &registry.Method{Name: name, Fn: get, Doc: doc, Property: name})
		if set != nil {
			o.Methods = append(o.Methods, &registry.Method{Name: "set_" + name, Fn: set, Doc: "Sets " + name + ".", Property: name})
		}
		o.Operators = append(o.Operators, "properties")
	})
}

// MethodOptions gives options to a method, a static method, a property's getter or setter, or with the name "__init__" to the
// constructor: [KeepGIL], [Isolated], [Lazy] and [Plain], as for [RegisterFunc]:
//
//	selfsame.Method("at", (*Board).At, "The mark at a place."),
//	selfsame.MethodOptions("at", selfsame.KeepGIL()),
//
// Register fails with a ValueError when the class has no method of that name, and for other options.
func MethodOptions(name string, opts ...FuncOption) ClassOption {
	return classOption(func(o *registry.ClassOptions) {
		o.MethodOptions = append(o.MethodOptions, registry.MethodOptions{Name: name, FuncOptions: readOptions(opts)})
	})
}

// JSON replaces an object's fields in the runtime's JSON graphs by another value. to is a func(*T) any or a func(*T) (any,
// error) that returns the value; from is a func(any) (*Handle[T], error) that makes an object of it.
func JSON(to, from any) ClassOption {
	return classOption(func(o *registry.ClassOptions) {
		o.Hooks = append(o.Hooks, &registry.AttrHook{Name: "__data_to_json__", Fn: to, Least: 1, Most: 1},
			&registry.AttrHook{Name: "__data_from_json__", Fn: from, Least: 1, Most: 1, Static: true})
	})
}

// DynamicAttributes lets Python code set attributes on objects of the class, and of classes derived from it, that the class
// does not declare, and refer to them weakly. Without it the Python classes that `selfsame-ffi build` writes have empty
// `__slots__`: a wrapper without attributes is freed as soon as Python drops it, and with them it may have to wait for
// Python's garbage collector.
func DynamicAttributes() ClassOption { return Attr("__ffi_dynamic_attributes__", true) }

// Attr sets a type attribute of the class, such as `__s_equal__`, to a Go func or any other value. The class owns the value
// for the life of the process.
func Attr(name string, value any) ClassOption {
	return classOption(func(o *registry.ClassOptions) {
		o.Hooks = append(o.Hooks, &registry.AttrHook{Name: name, Fn: value, Most: -1})
	})
}

// The kinds of structural equality.
const (
	StructuralTree   = registry.StructuralKind(abi.SEqHashTreeNode)       // by content
	StructuralDAG    = registry.StructuralKind(abi.SEqHashDAGNode)        // by content, and the same objects must be shared
	StructuralConst  = registry.StructuralKind(abi.SEqHashConstTreeNode)  // by content, which never changes
	StructuralVar    = registry.StructuralKind(abi.SEqHashFreeVar)        // a variable, which corresponds to another variable
	StructuralUnique = registry.StructuralKind(abi.SEqHashUniqueInstance) // by identity
)

// Structural sets how structural equality and hashing compare objects of the class. The tag `ffi:"structural=ignore"` leaves
// a field out, `ffi:"structural=def"` makes its values define variables.
func Structural(kind registry.StructuralKind) ClassOption {
	return classOption(func(o *registry.ClassOptions) { o.Structural = kind })
}

// OnDrop runs fn, a func(*T) or func(*T) error such as (*Index).Close, once for each object, when its last reference in any
// language is gone. The object's fields and Go values are there until fn returns.
//
// fn runs on a goroutine of its own, so it may block and may call any language. An object whose constructor failed is not
// dropped. When fn stores the object somewhere, the object lives on, and fn does not run again. Its error or panic
// is written to the standard error. For a class that is derived from others with OnDrop, the func of the derived one runs
// first. An object that was made without the constructor, as by pickle, has fields that nobody has set.
//
// The end of a Python program, [Collect] and selfsame_ffi.collect() wait for the funcs, at most 5 seconds; the environment
// variable SELFSAME_DROP_TIMEOUT gives other seconds for the end of a program. A Go program calls [Collect] at the end of
// main. Objects of the class cannot be copied. In a forked child fn does not run for objects of the parent.
//
// internal/bridge/drop.c says why.
func OnDrop(fn any) ClassOption { return classOption(func(o *registry.ClassOptions) { o.OnDrop = fn }) }

// hook returns the option that sets a type attribute to a func of least to most parameters.
func hook(name string, fn any, least, most int) ClassOption {
	return classOption(func(o *registry.ClassOptions) {
		o.Hooks = append(o.Hooks, &registry.AttrHook{Name: name, Fn: fn, Least: least, Most: most, Extra: most - least})
	})
}

// lenientOption is the option gen.Lenient.
type lenientOption struct{}

func (lenientOption) applyToFunc(o *registry.FuncOptions)   { o.Lenient = true }
func (lenientOption) applyToClass(o *registry.ClassOptions) { o.Lenient = true }

// variableOption is the option gen.Variable: the name of the variable.
type variableOption string

func (v variableOption) applyToFunc(o *registry.FuncOptions) { o.Variable = string(v) }
