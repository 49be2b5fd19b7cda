package registry

import (
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// methodClosure is a checked method, ready to be registered.
type methodClosure struct {
	*Method
	closure *call.Closure
	memory  MemoryUse
}

// methodClosures checks and prepares the constructor and the methods.
func (c Registration) methodClosures(key string, o *ClassOptions) ([]*methodClosure, error) {
	var out []*methodClosure
	if err := o.checkMethodOptions(key); err != nil {
		return nil, err
	}
	if o.Init != nil {
		prepared, err := c.initClosure(key, o.Init, o.optionsOf(constructorName))
		switch {
		case err == nil:
			out = append(out, prepared)
		case o.Lenient:
			refuse(key, err)
		default:
			return nil, err
		}
	}
	var usable []*Method
	without := map[string]bool{} // the properties whose getter a lenient registration leaves out
	for _, m := range o.Methods {
		prepared, unusable, err := c.methodClosure(key, m, o)
		switch {
		case unusable && o.Lenient:
			refuse(key+"."+m.Name, err)
			without[m.Property] = m.Property == m.Name
		case err != nil:
			return nil, err
		case m.Property == "" || !without[m.Property]:
			out, usable = append(out, prepared), append(usable, m)
		}
	}
	o.Methods = usable
	return out, nil
}

// methodClosure checks and prepares a method. unusable says of an error that the func is one that the frontend cannot use, which a
// lenient registration leaves out.
func (c Registration) methodClosure(key string, m *Method, o *ClassOptions) (prepared *methodClosure, unusable bool, err error) {
	given := o.optionsOf(m.Name)
	made, err := call.NewClosure(key+"."+m.Name, m.Fn, m.signatureOptions(given))
	if err != nil {
		return nil, true, err
	}
	made.KeepsGIL, made.Isolated = given.KeepGIL, given.Isolated
	visible := made.Sig.Params
	if n := len(made.Sig.Params); m.Property == m.Name && m.Property != "" && (n != 1 || made.Sig.Result == nil) ||
		m.Property != "" && m.Property != m.Name && n != 2 {
		return nil, false, fault.New("TypeError", "selfsame: Property: `%s.%s`: expected a func(*%s) V to get it and a "+
			"func(*%s, V) to set it, got %s", key, m.Property, c.GoType, c.GoType, reflect.TypeOf(m.Fn))
	}
	if !m.Static {
		if len(visible) == 0 || !c.isReceiver(visible[0]) {
			return nil, false, fault.New("TypeError", "selfsame: Method: `%s.%s`: expected a func whose first parameter is *%s or "+
				"*Handle of it, got %s",
				key, m.Name, c.GoType, reflect.TypeOf(m.Fn))
		}
		visible = visible[1:]
		made.Sig.Leading = 1
	}
	if m.Property != "" && m.Property != m.Name {
		made.Sig.SetsProperty(key + "." + m.Property)
	}
	if made.Named, err = call.ParseArguments(made.Sig, visible, m.ArgNames); err != nil {
		return nil, true, err
	}
	made.Leading = len(made.Sig.Params) - len(visible)
	m.Doc = made.Documented(m.Doc, m.Name)
	return &methodClosure{Method: m, closure: made, memory: o.inMemory[m.accessor()]}, false, nil
}

// signatureOptions returns how to read the signature of a method with options.
func (m *Method) signatureOptions(o FuncOptions) call.SignatureOptions {
	return call.SignatureOptions{Self: !m.Static, Plain: o.Plain, Lazy: o.Lazy, Names: m.ArgNames}
}

// isReceiver reports whether a method's first parameter can be the object: *T or *Handle[T] of the class or an ancestor.
func (c Registration) isReceiver(parameter *convert.Conv) bool {
	for p := c.Class; p != nil; p = p.Parent {
		if parameter.GoType == reflect.PointerTo(p.GoType) || parameter.HandleOf == p {
			return true
		}
	}
	return false
}

// initClosure makes the constructor: a function of the arguments that returns a new object, filled in by fn.
func (c Registration) initClosure(key string, m *Method, o FuncOptions) (*methodClosure, error) {
	fn := reflect.ValueOf(m.Fn)
	if fn.Kind() != reflect.Func || fn.IsNil() {
		return nil, fault.New("TypeError", "selfsame: Init: class `%s`: expected a func, got %T", key, m.Fn)
	}
	t := fn.Type()
	if t.NumIn() == 0 || t.In(0) != reflect.PointerTo(c.GoType) {
		return nil, fault.New("TypeError", "selfsame: Init: class `%s`: expected a func whose first parameter is *%s, got %s",
			key, c.GoType, t)
	}
	sig, err := call.SignatureOf(key+"."+typetable.InitName, t, call.SignatureOptions{Skip: 1, Plain: o.Plain, Lazy: o.Lazy, Names: m.ArgNames})
	if err != nil {
		return nil, err
	}
	if sig.Result != nil {
		return nil, fault.New("TypeError", "selfsame: Init: class `%s`: expected a func that returns nothing or an error, got %s",
			key, t)
	}
	sig.Symbol = fault.SymbolOf(fn)
	sig.ReadKept(t, 1)
	named, err := call.ParseArguments(sig, sig.Params, m.ArgNames)
	if err != nil {
		return nil, err
	}
	self := convert.BorrowedConv(c.GoType)
	sig.Result = self // callers see the new object
	made := &call.Closure{
		Sig: sig, Named: named, Entry: fn.Pointer(), Symbol: sig.Symbol, KeepsGIL: o.KeepGIL, Isolated: o.Isolated,
	}
	adapter := call.AdapterOf(t)
	switch {
	case sig.Reshapes():
		made.Invoke = c.adaptedConstructor(fn, sig)
	case adapter != nil:
		made.Invoke = c.adapterConstructor(adapter, fn, sig)
	default:
		made.Invoke = c.constructor(fn, sig)
	}
	return &methodClosure{Method: m, closure: made}, nil
}

// constructor returns an invoker that makes an object, converts the arguments and calls fn with both.
//
// Why a constructor in Go fills an object in. `Init(func(x, y float64) (Point, error))` reads better than `Init(func(p
// *Point, x, y float64) error)`. But a Point on a Go stack may own strings and objects in its fields, which no
// collector releases when the constructor fails, and copying it copies those owners. An object that exists from the
// start has a deleter that releases them in every case.
func (c Registration) constructor(fn reflect.Value, sig *call.Signature) func([]abi.Any, *abi.Any) error {
	g := call.NewGoFunc(fn, sig, 1)
	return func(args []abi.Any, result *abi.Any) error {
		lent := sig.StartLent()
		defer call.EndLent(lent)
		f, err := g.Convert(args, lent)
		if err != nil {
			return err
		}
		return c.construct(result, func(object unsafe.Pointer) error {
			*(*unsafe.Pointer)(f.At[0]) = object
			err := g.Call(f)
			g.PutBack(f)
			return err
		})
	}
}

// adaptedConstructor does constructor's work for a func with a context or a variadic parameter.
func (c Registration) adaptedConstructor(fn reflect.Value, sig *call.Signature) call.Invoker {
	a := call.NewReshapedFunc(fn, sig, 1)
	return func(args []abi.Any, result *abi.Any) error {
		lent := sig.StartLent()
		defer call.EndLent(lent)
		in, err := a.Convert(args, lent)
		if err != nil {
			return err
		}
		return c.construct(result, func(object unsafe.Pointer) error {
			in[0] = reflect.NewAt(c.GoType, object)
			return a.Call(in, result)
		})
	}
}

// constructorArguments has memory for the arguments of constructors that an Adapter calls.
var constructorArguments = sync.Pool{New: func() any { return new([]abi.Any) }}

// adapterConstructor does constructor's work for a func that an Adapter calls: the object is its first argument.
func (c Registration) adapterConstructor(adapter call.AdapterMaker, fn reflect.Value, sig *call.Signature) call.Invoker {
	fill := adapter(fn, sig.WithObject(sig.Result))
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
func (c Registration) construct(result *abi.Any, fill func(object unsafe.Pointer) error) error {
	object, err := newObject(c.Class)
	if err != nil {
		return err
	}
	filled := false
	defer func() {
		if !filled {
			Discard(c.Class, object)
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

// appendMetadata appends the metadata JSON of the method, which names the classes that are registered now. symbol is what its source is
// found by.
func (m *methodClosure) appendMetadata(text []byte, symbol string) []byte {
	text = appendProperty(m.closure.AppendMetadata(text, "", symbol), m.Property)
	if m.memory != "" {
		text = append(call.Reopened(text), `,"go_memory":[`+string(m.memory)+"]}"...)
	}
	return text
}

// appendProperty adds to the metadata of a function that it gets or sets a property of a class, or a variable of a module; "" for none.
func appendProperty(metadata []byte, name string) []byte {
	if name == "" {
		return metadata
	}
	return append(convert.AppendQuoted(append(call.Reopened(metadata), `,"property":`...), name), '}')
}

// register adds the method to its class, and the constructor to the class's type attributes as well.
func (m *methodClosure) register(c Registration, index int32) error {
	var flags int64
	isInit := m.Name == typetable.InitName
	if m.Static || isInit {
		flags |= abi.FlagIsStaticMethod
	}
	var constructor unsafe.Pointer
	err := c.registerPart(bridge.LoggedMethod, index, m.Name, m.closure, func(function unsafe.Pointer) error {
		if isInit {
			constructor = function
			abi.IncRef(constructor)
		}
		failed := bridge.RegisterMethod(index, m.Name, m.Doc, string(m.appendMetadata(nil, m.closure.Symbol)), flags, function)
		return fault.Take(failed)
	})
	defer handles.DecRef(constructor)
	if err != nil || !isInit {
		return err
	}
	return c.registerPart(bridge.LoggedAttr, index, typetable.InitName, nil, func(unsafe.Pointer) error {
		if constructor == nil { // the parent forked, on another thread, between the two registrations
			if constructor, err = m.closure.Function(); err != nil {
				return err
			}
		}
		return fault.Take(bridge.RegisterAttr(index, typetable.InitName, abi.ObjectValue(constructor)))
	})
}

// refuseLoss returns the hooks of a class whose objects would lose something in a pickle or in JSON, and that has not the
// option JSON: both are refused then.
func (c Registration) refuseLoss(key string, hooks []*preparedHook) ([]*preparedHook, error) {
	isJSON := func(h *preparedHook) bool { return h.name == "__data_to_json__" }
	if c.Lost == "" || c.IsEnum() || slices.ContainsFunc(hooks, isJSON) {
		return nil, nil
	}
	text := key + ": objects cannot be pickled or written as JSON: " + c.Lost + "; give the class selfsame.JSON, or tag the " +
		"field `ffi:\"transient\"`"
	function, failed := bridge.NewRefusal(text)
	if function == nil {
		return nil, fault.Take(failed)
	}
	reason, err := values.NewText(text)
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
func (c Registration) prepareHooks(key string, hooks []*AttrHook) ([]*preparedHook, error) {
	var out []*preparedHook
	for _, h := range hooks {
		if h.Most < 0 && reflect.ValueOf(h.Fn).Kind() != reflect.Func {
			var v abi.Any
			if err := convert.FromGo(h.Fn, &v); err != nil {
				return nil, fault.New("TypeError", "selfsame: Attr: `%s` of %s: %s", h.Name, key, fault.Reason(err))
			}
			out = append(out, &preparedHook{name: h.Name, value: v})
			continue
		}
		made, err := call.NewClosure(key+"."+h.Name, h.Fn, call.SignatureOptions{Self: h.Most >= 0 && !h.Static})
		if err != nil {
			return nil, err
		}
		params := made.Sig.Params
		if h.Most >= 0 {
			if n := len(params); n < h.Least || n > h.Most {
				return nil, fault.New("TypeError", "selfsame: `%s` of %s: expected a func with %d parameters, got %T",
					h.Name, key, h.Least, h.Fn)
			}
			for i := 0; i < h.Least && !h.Static; i++ {
				if !c.isReceiver(params[i]) {
					return nil, fault.New("TypeError", "selfsame: `%s` of %s: parameter %d: expected *%s or *Handle of it, got %s",
						h.Name, key, i, c.GoType, params[i].GoType)
				}
			}
			made.Spare = h.Most - len(params)
		}
		out = append(out, &preparedHook{name: h.Name, closure: made})
	}
	return out, nil
}

// preparedHook is an AttrHook that was checked and is ready to be registered.
type preparedHook struct {
	name    string
	closure *call.Closure // nil: the attribute is value
	value   abi.Any       // owned
}
