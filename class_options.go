package selfsame

import (
	"reflect"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Final makes a class one that no class, in any language, can derive from.
func Final() ClassOption { return classOption(func(o *classOptions) { o.final = true }) }

// AutoInit gives the class the constructor that the runtime makes of its fields: one argument per visible field, inherited
// ones first, fields with a default after those without; arguments may be given by name. The tags `ffi:"init=off"` and
// `ffi:"kwonly"` leave a field out, or to keyword arguments. It takes the place of [Init].
func AutoInit() ClassOption { return classOption(func(o *classOptions) { o.autoInit = true }) }

// Repr says how an object prints, here and in Python: fn is a func(*T) string, or a func(*T, *Function) (string, error)
// whose second argument gives the text of any value.
func Repr(fn any) ClassOption { return hook("__ffi_repr__", fn, 1, 2) }

// Equality makes two objects that are equal one key for containers and one value for ==, instead of each object being equal
// to itself only. equal is a func(a, b *T) bool; hash is a func(*T) int64 that gives equal objects one number.
func Equality(equal, hash any) ClassOption {
	return classOption(func(o *classOptions) {
		o.hooks = append(o.hooks,
			&attrHook{name: "__any_equal__", fn: equal, least: 2, most: 2},
			&attrHook{name: "__ffi_eq__", fn: equal, least: 2, most: 3, extra: 1},
			&attrHook{name: "__any_hash__", fn: hash, least: 1, most: 1},
			&attrHook{name: "__ffi_hash__", fn: hash, least: 1, most: 2, extra: 1})
	})
}

// Order makes objects comparable with < and >: compare is a func(a, b *T) int as cmp.Compare.
func Order(compare any) ClassOption {
	return classOption(func(o *classOptions) {
		o.hooks = append(o.hooks, &attrHook{name: "__ffi_compare__", fn: compare, least: 2, most: 3, extra: 1})
	})
}

// JSON says what stands for an object in the runtime's JSON graphs, instead of its fields: to is a func(*T) any, or with
// an error; from is a func(any) (*Handle[T], error) that makes the object again.
func JSON(to, from any) ClassOption {
	return classOption(func(o *classOptions) {
		o.hooks = append(o.hooks, &attrHook{name: "__data_to_json__", fn: to, least: 1, most: 1},
			&attrHook{name: "__data_from_json__", fn: from, least: 1, most: 1, static: true})
	})
}

// Attr sets a type attribute of the class that the runtime or a library knows, such as `__s_equal__`, to a Go func or any
// other value.
func Attr(name string, value any) ClassOption {
	return classOption(func(o *classOptions) { o.hooks = append(o.hooks, &attrHook{name: name, fn: value, most: -1}) })
}

// StructuralKind says how structural equality and hashing take objects of a class.
type StructuralKind int32

// The ways of structural equality.
const (
	StructuralTree   = StructuralKind(abi.SEqHashTreeNode)       // by content
	StructuralDAG    = StructuralKind(abi.SEqHashDAGNode)        // by content, and shared objects must be shared alike
	StructuralConst  = StructuralKind(abi.SEqHashConstTreeNode)  // by content, which does not change
	StructuralVar    = StructuralKind(abi.SEqHashFreeVar)        // a variable, which is mapped to another
	StructuralUnique = StructuralKind(abi.SEqHashUniqueInstance) // each object is equal to itself only
)

// Structural lets structural equality and hashing look at objects of the class. The tags `ffi:"structural=ignore"` and
// `ffi:"structural=def"` leave a field out, or make it one that defines variables.
func Structural(kind StructuralKind) ClassOption {
	return classOption(func(o *classOptions) { o.structural = kind })
}

func hook(name string, fn any, least, most int) ClassOption {
	return classOption(func(o *classOptions) {
		o.hooks = append(o.hooks, &attrHook{name: name, fn: fn, least: least, most: most, extra: most - least})
	})
}

// attrHook is a type attribute of a class.
type attrHook struct {
	name        string
	fn          any
	least, most int  // number of parameters that the func may have; most -1: any value at all
	extra       int  // arguments that the runtime gives beyond `least`, which a func may leave out
	static      bool // the first parameter is not the object
}

// preparedHook is one that is ready to be registered.
type preparedHook struct {
	name    string
	closure *closure // nil: value
	value   abi.Any  // owned
}

// prepareHooks checks the hooks' funcs.
func (c *class) prepareHooks(key string, hooks []*attrHook) ([]*preparedHook, error) {
	var out []*preparedHook
	for _, h := range hooks {
		fn, _ := typedFunc(h.fn)
		if h.most < 0 && fn.Kind() != reflect.Func {
			var v abi.Any
			if err := fromGo(h.fn, &v); err != nil {
				return nil, newError("TypeError", "selfsame: attribute `%s` of %s: %s", h.name, key, reason(err))
			}
			out = append(out, &preparedHook{name: h.name, value: v})
			continue
		}
		made, err := newClosure(key+"."+h.name, h.fn)
		if err != nil {
			return nil, err
		}
		params := made.sig.params
		if h.most >= 0 {
			if n := len(params); n < h.least || n > h.most {
				return nil, newError("TypeError", "selfsame: `%s` of %s is a %T: it must have %d parameters", h.name, key, h.fn, h.least)
			}
			for i := 0; i < h.least && !h.static; i++ {
				if !c.isReceiver(params[i].goType) {
					return nil, newError("TypeError", "selfsame: `%s` of %s is a %T: parameter %d must be *%s or *Handle of it",
						h.name, key, h.fn, i, c.goType)
				}
			}
			made.spare = h.most - len(params)
		}
		out = append(out, &preparedHook{name: h.name, closure: made})
	}
	return out, nil
}
