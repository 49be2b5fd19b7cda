package selfsame

import (
	"reflect"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Final forbids classes of any language to derive from the class.
func Final() ClassOption { return classOption(func(o *classOptions) { o.final = true }) }

// AutoInit gives the class the constructor that the runtime derives from its fields, instead of [Init]: one argument per
// visible field, inherited ones first, fields with a default after those without. Callers may pass arguments by name. The
// tag `ffi:"init=off"` leaves a field out, `ffi:"kwonly"` makes it a keyword argument.
func AutoInit() ClassOption { return classOption(func(o *classOptions) { o.autoInit = true }) }

// Repr sets the text of an object, in every language: fn is a func(*T) string, or a func(*T, *Function) (string, error)
// whose second argument returns the text of any value.
func Repr(fn any) ClassOption { return hook("__ffi_repr__", fn, 1, 2) }

// Equality replaces comparison by identity: for keys of containers, for recursive comparison, and for == , != and hash() in
// Python, where an object of another class is never equal. equal is a func(a, b *T) bool; hash
// is a func(*T) int64 that returns the same number for equal objects.
func Equality(equal, hash any) ClassOption {
	return classOption(func(o *classOptions) {
		o.hooks = append(o.hooks,
			&attrHook{name: "__any_equal__", fn: equal, least: 2, most: 2},
			&attrHook{name: "__ffi_eq__", fn: equal, least: 2, most: 3, extra: 1},
			&attrHook{name: "__any_hash__", fn: hash, least: 1, most: 1},
			&attrHook{name: "__ffi_hash__", fn: hash, least: 1, most: 2, extra: 1})
		o.operators = append(o.operators, "eq")
	})
}

// Order makes objects comparable: in recursive comparison, and with <, <=, > and >= in Python, where an object of another
// class is a TypeError. compare is a func(a, b *T) int with results as those of cmp.Compare.
func Order(compare any) ClassOption {
	return classOption(func(o *classOptions) {
		o.hooks = append(o.hooks, &attrHook{name: "__ffi_compare__", fn: compare, least: 2, most: 3, extra: 1})
		o.operators = append(o.operators, "order")
	})
}

// Property adds an attribute that Go funcs compute: get is a func(*T) V or func(*T) (V, error), set is nil for one that
// cannot be set, or a func(*T, V) or func(*T, V) error. Languages without properties call the methods name and set_name.
func Property(name string, get, set any, doc string) ClassOption {
	return classOption(func(o *classOptions) {
		o.methods = append(o.methods, &method{name: name, fn: get, doc: doc, property: name})
		if set != nil {
			o.methods = append(o.methods, &method{name: "set_" + name, fn: set, doc: "Sets " + name + ".", property: name})
		}
		o.operators = append(o.operators, "properties")
	})
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

// JSON replaces an object's fields in the runtime's JSON graphs by another value. to is a func(*T) any or a func(*T) (any,
// error) that returns the value; from is a func(any) (*Handle[T], error) that makes an object of it.
func JSON(to, from any) ClassOption {
	return classOption(func(o *classOptions) {
		o.hooks = append(o.hooks, &attrHook{name: "__data_to_json__", fn: to, least: 1, most: 1},
			&attrHook{name: "__data_from_json__", fn: from, least: 1, most: 1, static: true})
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
	return classOption(func(o *classOptions) { o.hooks = append(o.hooks, &attrHook{name: name, fn: value, most: -1}) })
}

// StructuralKind says how structural equality and hashing compare objects of a class.
type StructuralKind int32

// The kinds of structural equality.
const (
	StructuralTree   = StructuralKind(abi.SEqHashTreeNode)       // by content
	StructuralDAG    = StructuralKind(abi.SEqHashDAGNode)        // by content, and the same objects must be shared
	StructuralConst  = StructuralKind(abi.SEqHashConstTreeNode)  // by content, which never changes
	StructuralVar    = StructuralKind(abi.SEqHashFreeVar)        // a variable, which corresponds to another variable
	StructuralUnique = StructuralKind(abi.SEqHashUniqueInstance) // by identity
)

// Structural sets how structural equality and hashing compare objects of the class. The tag `ffi:"structural=ignore"` leaves
// a field out, `ffi:"structural=def"` makes its values define variables.
func Structural(kind StructuralKind) ClassOption {
	return classOption(func(o *classOptions) { o.structural = kind })
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
// RATIONALE.md, "Why OnDrop runs on another goroutine"
func OnDrop(fn any) ClassOption { return classOption(func(o *classOptions) { o.onDrop = fn }) }

// hook returns the option that sets a type attribute to a func of least to most parameters.
func hook(name string, fn any, least, most int) ClassOption {
	return classOption(func(o *classOptions) {
		o.hooks = append(o.hooks, &attrHook{name: name, fn: fn, least: least, most: most, extra: most - least})
	})
}

// attrHook is a type attribute of a class, as an option gave it.
type attrHook struct {
	name        string
	fn          any
	least, most int  // number of parameters that the func may have; most -1: any value is allowed
	extra       int  // arguments that the runtime passes beyond `least`; a func need not take them
	static      bool // the first parameter is not the object
}

// refuseLoss returns the hooks of a class whose objects would lose something in a pickle or in JSON, and that has not the
// option JSON: both are refused then.
func (c *class) refuseLoss(key string, hooks []*preparedHook) ([]*preparedHook, error) {
	isJSON := func(h *preparedHook) bool { return h.name == "__data_to_json__" }
	if c.lost == "" || c.isEnum() || slices.ContainsFunc(hooks, isJSON) {
		return nil, nil
	}
	text := key + ": objects cannot be pickled or written as JSON: " + c.lost + "; give the class selfsame.JSON, or tag the " +
		"field `ffi:\"transient\"`"
	function, failed := bridge.NewRefusal(text)
	if function == nil {
		return nil, takeError(failed)
	}
	reason, err := newText(text)
	if err != nil {
		handles.DecRef(function)
		return nil, err
	}
	return []*preparedHook{
		{name: "__data_to_json__", value: abi.ObjectValue(function)},
		{name: "__ffi_unpicklable__", value: reason}, // for classes that other languages derive from this one
	}, nil
}

// preparedHook is an attrHook that was checked and is ready to be registered.
type preparedHook struct {
	name    string
	closure *closure // nil: the attribute is value
	value   abi.Any  // owned
}

// prepareHooks checks the hooks' funcs and makes their closures. It registers nothing.
func (c *class) prepareHooks(key string, hooks []*attrHook) ([]*preparedHook, error) {
	var out []*preparedHook
	for _, h := range hooks {
		if h.most < 0 && reflect.ValueOf(h.fn).Kind() != reflect.Func {
			var v abi.Any
			if err := fromGo(h.fn, &v); err != nil {
				return nil, newError("TypeError", "selfsame: Attr: `%s` of %s: %s", h.name, key, reason(err))
			}
			out = append(out, &preparedHook{name: h.name, value: v})
			continue
		}
		made, err := newClosure(key+"."+h.name, h.fn, signatureOptions{self: h.most >= 0 && !h.static})
		if err != nil {
			return nil, err
		}
		params := made.sig.params
		if h.most >= 0 {
			if n := len(params); n < h.least || n > h.most {
				return nil, newError("TypeError", "selfsame: `%s` of %s: expected a func with %d parameters, got %T",
					h.name, key, h.least, h.fn)
			}
			for i := 0; i < h.least && !h.static; i++ {
				if !c.isReceiver(params[i].goType) {
					return nil, newError("TypeError", "selfsame: `%s` of %s: parameter %d: expected *%s or *Handle of it, got %s",
						h.name, key, i, c.goType, params[i].goType)
				}
			}
			made.spare = h.most - len(params)
		}
		out = append(out, &preparedHook{name: h.name, closure: made})
	}
	return out, nil
}
