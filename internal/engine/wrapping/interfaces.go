package wrapping

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
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

// Implementation is an object of a Python class that implements a Go interface. The Go value of such an object embeds it.
type Implementation struct{ object *handles.State }

// implementing returns the handle of the object.
func (i Implementation) implementing() *handles.State { return i.object }

// PythonMethod returns the method of an object's Python class as a Go func. F is a func type as for a bound func. It fails when
// the process has no Python, and with the error of the look-up.
func PythonMethod[F any](i Implementation, name string) (bound F, err error) {
	service := convert.PythonMethod.Function()
	if service == nil {
		return bound, fault.New("RuntimeError", "selfsame: PythonMethod: the process has no Python")
	}
	text, err := values.NewText(name)
	if err != nil {
		return bound, err
	}
	defer values.Release(text)
	defer runtime.KeepAlive(i.object)
	object := i.object.Address()
	made, err := values.CallValues(service, []abi.Any{abi.ObjectValue(object), text})
	if err != nil {
		return bound, err
	}
	defer values.Release(made)
	index := abi.TypeIndexOf(object)
	named := func() string { return typetable.TypeInfo(index).Key.String() + "." + name }
	if made.TypeIndex != abi.IndexFunction {
		return bound, fault.New("TypeError", "%s: expected a method, got another value", named())
	}
	return call.BindFunc[F](handles.Fetch(made.Pointer()), named)
}

// WrapInterface makes objects of a class stand for values of the interface I. implement, which may be nil, makes the Go value of
// an object of a Python class that derives from the class. What [Wrap] says holds.
func WrapInterface[I any](class, field reflect.Type, key string, implement func(Implementation) any, o Options) error {
	w := &wrapping{Options: o, class: typetable.Of(class), key: key, holds: reflect.TypeFor[I](), implement: implement}
	if w.joined(field) {
		return nil
	}
	if err := w.announce(field); err != nil {
		return err
	}
	return w.add(w.holds, func() (*convert.Conv, error) { return interfaceConv[I](w), nil })
}

// Why any is what Go code would pass, in a wrapped package only. Code that others wrote for Go asserts x.(int), ranges
// over []any and calls funcs that it finds in an any: comparators, interpreters and templates do. It knows neither
// int64 as the one whole number nor handles. So the first class of WrapOthers makes every any of its library what Go
// code passes itself, also in results of callbacks, where no option can be given. Packages written by hand keep
// handles, which share the object instead of copying it; the price is that code in overrides.go gets none in an any. A
// Python function that went through Go comes back as another function, as a Go func has no identity.

// WrapOthers makes a class that of Go values whose types have no class and no other form.
func WrapOthers(class, field reflect.Type, key string) error {
	w := &wrapping{class: typetable.Of(class), key: key, holds: convert.AnyType}
	if err := w.announce(field); err != nil {
		return err
	}
	convert.Opaque = w.object
	convert.FuncOf = call.FuncOf
	return nil
}

var anys sync.Map // reflect.Type -> true: the types of WrapAny

// WrapAny makes any type of the interface I, which has no methods, cross as any does.
func WrapAny[I any]() error {
	t := reflect.TypeFor[I]()
	if t.Kind() != reflect.Interface || t.NumMethod() != 0 {
		return fault.New("TypeError", "selfsame: WrapAny: expected an interface without methods, got %s", t)
	}
	if _, known := anys.LoadOrStore(t, true); known { // another package of the library has it
		return nil
	}
	return convert.AddForeign(t, func() (*convert.Conv, error) { return emptyInterfaceConv[I](), nil })
}

// emptyInterfaceConv makes the conversion of the interface I, which has no methods.
func emptyInterfaceConv[I any]() *convert.Conv {
	return &convert.Conv{
		Traits: convert.Traits{CallsOnly: true, Fast: convert.NoFastPath, BitsIndex: convert.NoBitsIndex},
		Name:   func() string { return "Any" },
		Schema: func() string { return convert.LeafSchema("Any") },
		Type:   convert.KindType(bridge.KindAny, "Any"),
		From: func(v *abi.Any, dst unsafe.Pointer) error {
			var value any
			if err := convert.PlainAny(v, &value); err != nil {
				return err
			}
			fits, ok := value.(I)
			if !ok && value != nil {
				return convert.Mismatched(v)
			}
			*(*I)(dst) = fits
			return nil
		},
		To: func(src unsafe.Pointer, v *abi.Any) error { return convert.FromGo(any(*(*I)(src)), v) },
	}
}

// interfaceConv makes the conversion of the interface I.
func interfaceConv[I any](w *wrapping) *convert.Conv {
	t, wrapped := reflect.TypeFor[I](), w
	fileOf, fileSchema := call.SeekingFile(t)
	from := func(v *abi.Any) (value I, err error) {
		if v.TypeIndex == abi.IndexNone {
			return value, nil
		}
		var w *wrapping
		if v.IsObject() {
			w = of(v.Pointer())
		}
		if w == nil && fileOf != nil {
			file, err := fileOf(v)
			if err != nil {
				return value, err
			}
			return file.(I), nil
		}
		if w == nil {
			return value, wrapped.refused(t, v)
		}
		b, err := Of(v.Pointer())
		if err != nil {
			return value, err
		}
		if b == nil {
			if fits, ok := w.implemented(v).(I); ok {
				return fits, nil
			}
			return wrappedFurther[I](wrapped, v)
		}
		first, second := b.value, any(nil)
		if w.element != nil {
			second = w.element(b.value)
			if w.ByValue {
				first, second = second, first
			}
		}
		if fits, ok := first.(I); ok {
			return fits, nil
		}
		if fits, ok := second.(I); ok {
			return fits, nil
		}
		return wrappedFurther[I](wrapped, v)
	}
	schema := func() string {
		accepted := append([]string{w.schema()}, implementing(t, w)...)
		if fileOf != nil {
			accepted = append(accepted, convert.LeafSchema(fileSchema))
		}
		return convert.NestedSchema("go.Interface", accepted...)
	}
	c := wrappingConv(w, schema, from)
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		value := any(*(*I)(src))
		if value == nil {
			*v = abi.None()
			return nil
		}
		if python, ok := value.(interface{ implementing() *handles.State }); ok {
			h := python.implementing()
			object := h.Address()
			abi.IncRef(object)
			runtime.KeepAlive(h)
			*v = abi.ObjectValue(object)
			return nil
		}
		if t := reflect.TypeOf(value); convert.IsForeign(t) {
			known, err := convert.For(t)
			if err != nil {
				return err
			}
			memory := reflect.New(t)
			memory.Elem().Set(reflect.ValueOf(value))
			return known.To(memory.UnsafePointer(), v)
		}
		object, err := w.object(value)
		if err == nil {
			*v = abi.ObjectValue(object)
		}
		return err
	}
	return c
}

// union is how the Go value is made of an object whose Python class derives from other interfaces too.
type union struct {
	with      []*wrapping
	implement func(Implementation) any
}

// Implementing makes the Go values of objects whose Python classes derive from all interfaces of these keys. It must come behind
// WrapInterface for each, with the unions of more methods first.
func Implementing(implement func(Implementation) any, keys []string) {
	var all []*wrapping
	wrappings.Range(func(_, value any) bool {
		if w := value.(*wrapping); slices.Contains(keys, w.key) {
			all = append(all, w)
		}
		return true
	})
	if len(all) != len(keys) { // an earlier package has the class of one
		return
	}
	for i, w := range all {
		w.unions = append(w.unions, union{slices.Delete(slices.Clone(all), i, i+1), implement})
	}
}

// implemented returns the Go value of an object whose Python class implements the interface, nil where that is not possible.
func (w *wrapping) implemented(v *abi.Any) any {
	if w.implement == nil {
		return nil
	}
	implement := w.implement
	for _, u := range w.unions {
		if !slices.ContainsFunc(u.with, func(other *wrapping) bool { return !convert.IsInstance(v, other.class.Native.Index()) }) {
			implement = u.implement
			break
		}
	}
	return implement(Implementation{handles.Fetch(v.Pointer())})
}

// wrappedFurther returns the Go value of an object whose Python class derives from the class of the interface I behind another class of the
// library, whose type index the object has.
func wrappedFurther[I any](w *wrapping, v *abi.Any) (value I, err error) {
	if w.implement != nil && convert.IsInstance(v, w.class.Native.Index()) {
		if fits, ok := w.implemented(v).(I); ok {
			return fits, nil
		}
	}
	return value, w.refused(reflect.TypeFor[I](), v)
}

// refused returns the error for a value that does not implement the interface t, with what does.
func (w *wrapping) refused(t reflect.Type, v *abi.Any) error {
	err := convert.Mismatched(v)
	m, ok := err.(*convert.Mismatch)
	if !ok || w.implement == nil {
		return err
	}
	methods := w.methodNames()
	if len(methods) == 0 {
		return err
	}
	defines, last := "", len(methods)-1
	if last > 0 {
		defines = strings.Join(methods[:last], ", ") + " and "
	}
	hint := "derive a class from " + w.key + " that defines " + defines + methods[last] + ", and pass an object of it"
	if v.TypeIndex == abi.IndexFunction {
		wrappings.Range(func(_, value any) bool {
			of := value.(*wrapping)
			if of.holds.Implements(t) && of.isFunc() {
				hint += ", or pass " + of.key + "(function)"
			}
			return true
		})
	}
	return m.WithHint(hint)
}

// methodNames returns the names that the methods of an interface have in Python, sorted. They are those of the class: reflect's methods of
// the interface would have the linker keep every exported method of the program.
func (w *wrapping) methodNames() (names []string) {
	info := typetable.TypeInfo(w.class.Native.Index())
	if info == nil {
		return nil
	}
	for _, m := range info.OwnMethods() {
		if name := m.Name.String(); m.Flags&abi.FlagIsStaticMethod == 0 && !strings.HasPrefix(name, "__") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// isFunc says whether the class stands for a func type.
func (w *wrapping) isFunc() bool {
	return w.holds.Kind() == reflect.Func || w.holds.Kind() == reflect.Pointer && w.holds.Elem().Kind() == reflect.Func
}

// implementing returns the schemas of the other classes whose values implement an interface, in the order of their keys.
func implementing(t reflect.Type, of *wrapping) []string {
	found := map[string]string{}
	wrappings.Range(func(_, value any) bool {
		w := value.(*wrapping)
		if w != of && w.holds != convert.AnyType && (w.holds.Implements(t) || w.holds.Kind() == reflect.Pointer && w.holds.Elem().Implements(t)) {
			found[w.key] = w.schema()
		}
		return true
	})
	keys := make([]string, 0, len(found))
	for key := range found {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, strings.Compare)
	for i, key := range keys {
		keys[i] = found[key]
	}
	return keys
}
