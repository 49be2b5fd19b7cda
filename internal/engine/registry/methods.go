package selfsame

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// methodClosure is a checked method, ready to be registered.
type methodClosure struct {
	*method
	closure *closure
	schema  func() string
}

// methodClosures checks and prepares the constructor and the methods.
func (c registration) methodClosures(key string, o *classOptions) ([]*methodClosure, error) {
	var out []*methodClosure
	if o.init != nil {
		prepared, err := c.initClosure(key, o.init, o.plain)
		if err != nil {
			return nil, err
		}
		out = append(out, prepared)
	}
	for _, m := range o.methods {
		made, err := newClosure(key+"."+m.name, m.fn, signatureOptions{self: !m.static, plain: o.plain, names: m.argNames})
		if err != nil {
			return nil, err
		}
		visible := made.sig.params
		if n := len(made.sig.params); m.property == m.name && m.property != "" && (n != 1 || made.sig.result == nil) ||
			m.property != "" && m.property != m.name && n != 2 {
			return nil, newError("TypeError", "selfsame: Property: `%s.%s`: expected a func(*%s) V to get it and a "+
				"func(*%s, V) to set it, got %s", key, m.property, c.goType, c.goType, reflect.TypeOf(m.fn))
		}
		if !m.static {
			if len(visible) == 0 || !c.isReceiver(visible[0]) {
				return nil, newError("TypeError", "selfsame: Method: `%s.%s`: expected a func whose first parameter is *%s or "+
					"*Handle of it, got %s",
					key, m.name, c.goType, reflect.TypeOf(m.fn))
			}
			visible = visible[1:]
			made.sig.leading = 1
		}
		if made.named, err = parseArguments(made.sig, visible, m.argNames); err != nil {
			return nil, err
		}
		made.leading = len(made.sig.params) - len(visible)
		m.doc = made.documented(m.doc, m.name)
		out = append(out, &methodClosure{method: m, closure: made, schema: func() string { return made.sig.schema("") }})
	}
	for _, m := range out {
		m.closure.keepsGIL = o.keepGIL
	}
	return out, nil
}

// isReceiver reports whether a method's first parameter can be the object: *T or *Handle[T] of the class or an ancestor.
func (c registration) isReceiver(parameter *conv) bool {
	for p := c.class; p != nil; p = p.parent {
		if parameter.goType == reflect.PointerTo(p.goType) || parameter.handleOf == p {
			return true
		}
	}
	return false
}

// initClosure makes the constructor: a function of the arguments that returns a new object, filled in by fn.
func (c registration) initClosure(key string, m *method, plain bool) (*methodClosure, error) {
	fn := reflect.ValueOf(m.fn)
	if fn.Kind() != reflect.Func || fn.IsNil() {
		return nil, newError("TypeError", "selfsame: Init: class `%s`: expected a func, got %T", key, m.fn)
	}
	t := fn.Type()
	if t.NumIn() == 0 || t.In(0) != reflect.PointerTo(c.goType) {
		return nil, newError("TypeError", "selfsame: Init: class `%s`: expected a func whose first parameter is *%s, got %s",
			key, c.goType, t)
	}
	sig, err := signatureOf(key+"."+initName, t, signatureOptions{skip: 1, plain: plain, names: m.argNames})
	if err != nil {
		return nil, err
	}
	if sig.result != nil {
		return nil, newError("TypeError", "selfsame: Init: class `%s`: expected a func that returns nothing or an error, got %s",
			key, t)
	}
	sig.symbol = symbolOf(fn)
	named, err := parseArguments(sig, sig.params, m.argNames)
	if err != nil {
		return nil, err
	}
	self := borrowedConv(c.goType)
	sig.result = self // callers see the new object
	made := &closure{sig: sig, named: named, boundary: frameOf(fn), symbol: sig.symbol}
	adapter := adapterOf(t)
	switch {
	case sig.adapted():
		made.invoke = c.adaptedConstructor(fn, sig)
	case adapter != nil:
		made.invoke = c.adapterConstructor(adapter, fn, sig)
	default:
		made.invoke = c.constructor(fn, sig)
	}
	return &methodClosure{method: m, closure: made, schema: func() string { return sig.schema("") }}, nil
}

// constructor returns an invoker that makes an object, converts the arguments and calls fn with both.
// RATIONALE.md, "Why a constructor in Go fills an object in"
func (c registration) constructor(fn reflect.Value, sig *signature) func([]abi.Any, *abi.Any) error {
	g := newGoFunc(fn, sig, 1)
	return func(args []abi.Any, result *abi.Any) error {
		f, err := g.convert(args)
		if err != nil {
			return err
		}
		return c.construct(result, func(object unsafe.Pointer) error {
			*(*unsafe.Pointer)(f.at[0]) = object
			err := g.call(f)
			g.putBack(f)
			return err
		})
	}
}

// adaptedConstructor does constructor's work for a func with a context or a variadic parameter.
func (c registration) adaptedConstructor(fn reflect.Value, sig *signature) invoker {
	a := newAdaptedFunc(fn, sig, 1)
	return func(args []abi.Any, result *abi.Any) error {
		in, err := a.convert(args)
		if err != nil {
			return err
		}
		return c.construct(result, func(object unsafe.Pointer) error {
			in[0] = reflect.NewAt(c.goType, object)
			return a.call(in, result)
		})
	}
}

// constructorArguments has memory for the arguments of constructors that an Adapter calls.
var constructorArguments = sync.Pool{New: func() any { return new([]abi.Any) }}

// adapterConstructor is constructor for a func that an Adapter calls: the object is its first argument.
func (c registration) adapterConstructor(adapter adapterMaker, fn reflect.Value, sig *signature) invoker {
	whole := *sig
	whole.params, whole.hidden = append([]*conv{sig.result}, sig.params...), 1
	fill := adapter(fn, &whole)
	return func(args []abi.Any, result *abi.Any) error {
		return c.construct(result, func(object unsafe.Pointer) error {
			all := constructorArguments.Get().(*[]abi.Any)
			*all = append(append((*all)[:0], abi.ObjectValue(object)), args...)
			err := fill(*all, result)
			clear(*all) // the pool keeps memory, not references; after a panic it loses both
			constructorArguments.Put(all)
			return err
		})
	}
}

// construct makes an object, calls fill with it, and stores the owned reference in *result. It releases the object when fill
// fails or panics.
func (c registration) construct(result *abi.Any, fill func(object unsafe.Pointer) error) error {
	object, err := newObject(c.class)
	if err != nil {
		return err
	}
	filled := false
	defer func() {
		if !filled {
			discard(c.class, object)
			handles.DecRef(object)
		}
	}()
	if err := fill(object); err != nil {
		return err
	}
	filled = true
	*result = abi.ObjectValue(object)
	return nil
}

// metadata returns the metadata JSON of the method, with a text by which the func's source is found.
func (m *methodClosure) metadata(symbol string) string {
	c := *m.closure
	c.symbol = symbol
	metadata := c.metadata("")
	if m.property != "" {
		metadata = strings.TrimSuffix(metadata, "}") + `,"property":` + quote(m.property) + "}"
	}
	return metadata
}

// register adds the method to its class, and the constructor to the class's type attributes as well.
func (m *methodClosure) register(c registration, index int32) error {
	var flags int64
	isInit := m.name == initName
	if m.static || isInit {
		flags |= abi.FlagIsStaticMethod
	}
	var constructor unsafe.Pointer
	err := c.registerPart(bridge.LoggedMethod, index, m.name, m.closure, func(function unsafe.Pointer) error {
		if isInit {
			constructor = function
			abi.IncRef(constructor)
		}
		failed := bridge.RegisterMethod(index, m.name, m.doc, m.metadata(m.closure.symbol), flags, function)
		return takeError(failed)
	})
	defer handles.DecRef(constructor)
	if err != nil || !isInit {
		return err
	}
	return c.registerPart(bridge.LoggedAttr, index, initName, nil, func(unsafe.Pointer) error {
		if constructor == nil { // the parent forked, on another thread, between the two registrations
			if constructor, err = m.closure.function(); err != nil {
				return err
			}
		}
		return takeError(bridge.RegisterAttr(index, initName, abi.ObjectValue(constructor)))
	})
}

// refuseLoss returns the hooks of a class whose objects would lose something in a pickle or in JSON, and that has not the
// option JSON: both are refused then.
func (c registration) refuseLoss(key string, hooks []*preparedHook) ([]*preparedHook, error) {
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

// prepareHooks checks the hooks' funcs and makes their closures. It registers nothing.
func (c registration) prepareHooks(key string, hooks []*attrHook) ([]*preparedHook, error) {
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
				if !c.isReceiver(params[i]) {
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

// preparedHook is an attrHook that was checked and is ready to be registered.
type preparedHook struct {
	name    string
	closure *closure // nil: the attribute is value
	value   abi.Any  // owned
}
