package convert

import (
	"encoding/json"
	"math/big"
	"reflect"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// anyConv makes the conversion of type any.
func anyConv() *Conv {
	name, schema := constant("Any", "Any")
	return &Conv{
		Name: name, Schema: schema, Type: KindType(bridge.KindAny, "Any"),
		From: func(v *abi.Any, dst unsafe.Pointer) error {
			value, err := anyToGo(v, nil)
			*(*any)(dst) = value
			return err
		},
		lend: func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
			value, err := anyToGo(v, lent)
			*(*any)(dst) = value
			return err
		},
		To: func(src unsafe.Pointer, v *abi.Any) error { return FromGo(*(*any)(src), v) },
	}
}

// FuncOf, when it is set, returns the Go func for a function that arrives as any. A package that wraps Go code of others sets it
// when it is loaded: such code knows no handles. There every any is what Go code would pass itself, also in results of callbacks: a
// whole number is an int, a list is a []any.
var FuncOf func(*handles.State) any

// anyToGo does ToGo's work for the type any in a signature. With lent, an object's handle is lent's.
func anyToGo(v *abi.Any, lent *handles.Lent) (any, error) {
	if FuncOf != nil {
		return plainGo(v, 0, lent)
	}
	return toGo(v, lent)
}

// wrappedGo returns the Go value of a value that is another one for Go code of others, ok false for the rest.
func wrappedGo(v *abi.Any) (value any, ok bool) {
	switch v.TypeIndex {
	case abi.IndexInt:
		if whole := int(v.Int64()); int64(whole) == v.Int64() {
			return whole, true
		}
	case abi.IndexFunction:
		return FuncOf(handles.Fetch(v.Pointer())), true
	}
	return nil, false
}

// ToGo returns the Go value of a borrowed value of any type. An object's handle takes its own reference.
func ToGo(v *abi.Any) (any, error) { return toGo(v, nil) }

// toGo does ToGo's work. With lent, an object's handle is lent's.
func toGo(v *abi.Any, lent *handles.Lent) (any, error) {
	switch v.TypeIndex {
	case abi.IndexNone:
		return nil, nil
	case abi.IndexInt:
		return v.Int64(), nil
	case abi.IndexBool:
		return v.Int64() != 0, nil
	case abi.IndexFloat:
		return v.Float64(), nil
	case abi.IndexOpaquePtr, abi.IndexDLTensorPtr:
		return v.Pointer(), nil
	case abi.IndexDataType:
		return v.DataType(), nil
	case abi.IndexDevice:
		return v.Device(), nil
	case abi.IndexBigInt:
		return abi.BigIntOf(v.Pointer()).Int(), nil
	}
	if content, isBytes, ok := v.Content(); ok {
		if isBytes {
			return append([]byte{}, content...), nil
		}
		return string(content), nil
	}
	if !v.IsObject() {
		return nil, fault.New("TypeError", "a value of type `%s` has no counterpart in Go", ValueTypeKey(v))
	}
	class := typetable.Nearest(v.TypeIndex)
	if class.Foreign != nil {
		return class.Foreign(v.Pointer())
	}
	return class.Wrap(Fetch(v.Pointer(), lent)), nil
}

// FromGo makes *v an owned value of a Go value. It fails when the value's type has no counterpart in the ABI, and for a value
// that contains itself.
func FromGo(value any, v *abi.Any) error {
	switch x := value.(type) {
	case nil:
		*v = abi.None()
		return nil
	case int64:
		*v = abi.Int(x)
		return nil
	case int:
		*v = abi.Int(int64(x))
		return nil
	case float64:
		*v = abi.Float(x)
		return nil
	case bool:
		*v = abi.Bool(x)
		return nil
	case string:
		return values.PutText(x, v)
	case Typed:
		return x.Conv.To(x.At, v)
	case *pythonObject:
		x.put(v)
		return nil
	case big.Int:
		return FromGo(&x, v)
	}
	if depthOf(v) >= maxDepth {
		return tooDeep()
	}
	if e, ok := value.(*fault.Error); ok && FuncOf != nil { // as what a callback raised, and Go code recovered
		return putError(e, v)
	}
	t := reflect.TypeOf(value)
	if number, ok := value.(json.Number); ok && !IsForeign(t) {
		return FromGo(plainNumber(number), v)
	}
	c, err := For(t)
	if err != nil {
		if e, ok := value.(error); ok {
			return putError(e, v)
		}
		if HandleOf != nil {
			if known, ok := HandleOf(value); ok {
				return FromGo(known, v)
			}
		}
		if Opaque != nil {
			object, err := Opaque(value)
			if err == nil {
				*v = abi.ObjectValue(object)
			}
			return err
		}
		return err
	}
	copied := reflect.New(t)
	copied.Elem().Set(reflect.ValueOf(value))
	return c.To(copied.UnsafePointer(), v)
}

// plainNumber returns the number of a text of JSON: an int64, a *big.Int, a float64, or the text if it is none.
func plainNumber(n json.Number) any {
	if whole, err := n.Int64(); err == nil {
		return whole
	}
	if large, ok := new(big.Int).SetString(n.String(), 10); ok {
		return large
	}
	if f, err := n.Float64(); err == nil {
		return f
	}
	return n.String()
}

// OwnGo converts an owned value as ToGo does, and releases its reference.
func OwnGo(v abi.Any) (any, error) {
	value, err := ToGo(&v)
	values.Release(v)
	return value, err
}

var plainConvs sync.Map // reflect.Type -> *conv

// ForPlain returns the conversion of a Go type in functions with the option Plain. It differs from that of For
// for any, and for types that contain any.
func ForPlain(t reflect.Type) (*Conv, error) {
	if known, ok := plainConvs.Load(t); ok {
		return known.(*Conv), nil
	}
	var c *Conv
	var err error
	switch {
	case IsForeign(t):
		return For(t)
	case t == AnyType:
		c = plainAnyConv()
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 && !IsOwn(t):
		c, err = SliceConv(t, ForPlain)
	case t.Kind() == reflect.Map:
		c, err = goMapConv(t, ForPlain)
	case t.Kind() == reflect.Array:
		c, err = arrayConv(t, ForPlain)
	default:
		var ok bool
		if c, ok, err = Calls.Iterator(t, plainElement); !ok {
			return For(t)
		}
	}
	if err != nil {
		return nil, err
	}
	c.GoType, c.Fast, c.BitsIndex, c.CallsOnly = t, NoFastPath, NoBitsIndex, true
	c.acceptShown(t)
	known, _ := plainConvs.LoadOrStore(t, c)
	return known.(*Conv), nil
}

func plainAnyConv() *Conv {
	c := anyConv()
	c.From = func(v *abi.Any, dst unsafe.Pointer) error { return c.lend(v, dst, nil) }
	c.lend = func(v *abi.Any, dst unsafe.Pointer, lent *handles.Lent) error {
		value, err := plainGo(v, 0, lent)
		*(*any)(dst) = value
		return err
	}
	return c
}

// PlainResult makes a conversion whose result has Python's containers. It serves results only.
func PlainResult(c *Conv) *Conv {
	if isNoContainer(c) {
		return c
	}
	made := *c
	made.Fast, made.BitsIndex = NoFastPath, NoBitsIndex
	made.Schema = func() string { return NestedSchema("go.Plain", c.Schema()) }
	made.To = func(src unsafe.Pointer, v *abi.Any) error {
		if c.toPython != nil && pythonList.Function() != nil {
			if made, ok, err := c.toPython(src); ok {
				*v = made
				return err
			}
		}
		if err := c.To(src, v); err != nil {
			return err
		}
		return plainValue(v)
	}
	return &made
}

// ToArgument does FromGo's work for an argument of a callback. Where Go code of others calls it, a container is Python's own, as it is
// among results.
func ToArgument(value any, v *abi.Any) error {
	if err := FromGo(value, v); err != nil || FuncOf == nil {
		return err
	}
	return plainValue(v)
}

// AnyArgument returns the conversion of an argument of type any of a callback.
func AnyArgument() *Conv {
	made := *MustFor(AnyType)
	made.To = func(src unsafe.Pointer, v *abi.Any) error { return ToArgument(*(*any)(src), v) }
	return &made
}

// isNoContainer says whether no value of a conversion is a container: numbers, texts, bytes, and objects of one class.
func isNoContainer(c *Conv) bool {
	switch c.Fast {
	case FastInt64, FastFloat64, FastBool, FastString, FastBytes:
		return true
	}
	return c.GoType != nil && (isPlainKind(c.GoType.Kind()) || c.GoType.Kind() == reflect.Pointer) && IsForeign(c.GoType)
}

// plainElement returns the conversion of an iterator's elements in functions with the option Plain.
func plainElement(t reflect.Type) (*Conv, error) {
	c, err := ForPlain(t)
	if err != nil {
		return nil, err
	}
	made := *c
	made.Fast, made.BitsIndex = NoFastPath, NoBitsIndex
	made.To = func(src unsafe.Pointer, v *abi.Any) error {
		if err := c.To(src, v); err != nil {
			return err
		}
		return plainValue(v)
	}
	return &made, nil
}

// plainValue replaces an owned container by Python's.
func plainValue(v *abi.Any) error {
	switch v.TypeIndex {
	case abi.IndexArray, abi.IndexList, abi.IndexMap, abi.IndexDict:
		return Repack(v, "plain")
	}
	return nil
}

// plainGo converts a value as ToGo does, with Go's own types for containers, and the Go value of an object that is nothing
// but one. depth is the number of containers around it: a
// List or Dict may contain itself.
func plainGo(v *abi.Any, depth uint32, lent *handles.Lent) (any, error) {
	if depth > maxDepth {
		return nil, tooDeep()
	}
	if FuncOf != nil {
		if value, ok := wrappedGo(v); ok {
			return value, nil
		}
	}
	switch v.TypeIndex {
	case abi.IndexArray, abi.IndexList:
		items := abi.SeqOf(v.Pointer()).Items()
		out := make([]any, len(items))
		for i := range items {
			value, err := plainGo(&items[i], depth+1, lent)
			if err != nil {
				return nil, err
			}
			out[i] = value
		}
		return out, nil
	case abi.IndexMap, abi.IndexDict:
		return plainMap(v.Pointer(), depth+1, lent)
	case abi.IndexOpaquePyObject:
		return plainPython(v, depth, lent)
	}
	if v.IsObject() {
		if class := typetable.Nearest(v.TypeIndex); class.Held != nil {
			return class.Held(v.Pointer())
		}
	}
	return toGo(v, lent)
}

// plainMap returns a map[string]any, or a map[any]any when a key is no str.
func plainMap(object unsafe.Pointer, depth uint32, lent *handles.Lent) (any, error) {
	cell := container.MapOf(object)
	byName := make(map[string]any, cell.Size)
	var byKey map[any]any
	for pair := range cell.All {
		value, err := plainGo(&pair.Value, depth, lent)
		if err != nil {
			return nil, err
		}
		key, err := plainGo(&pair.Key, depth, lent)
		if err != nil {
			return nil, err
		}
		if name, ok := key.(string); ok && byKey == nil {
			byName[name] = value
			continue
		}
		if !reflect.TypeOf(&key).Elem().Comparable() || key != nil && !reflect.TypeOf(key).Comparable() {
			return nil, fault.New("TypeError", "the key %s is not comparable, so it cannot be a key of a map[any]any", KeyText(&pair.Key))
		}
		if byKey == nil {
			byKey = make(map[any]any, cell.Size)
			for name, known := range byName {
				byKey[name] = known
			}
		}
		byKey[key] = value
	}
	var made any = byName
	count := len(byName)
	if byKey != nil {
		made, count = byKey, len(byKey)
	}
	if count == int(cell.Size) {
		return made, nil
	}
	again := func(key *abi.Any) (any, error) { return plainGo(key, depth, lent) }
	return made, collisionInGo(reflect.TypeOf(made), entryKeys(BorrowedEntries(object)), again, never)
}

// PythonHandle makes the handle of a Python value without a counterpart in Go; nil until package host/python has a class for these.
var PythonHandle func(v *abi.Any) (any, error)

// HandleOf returns the handles that a value without a conversion has, where it is one of a struct around that of package host/python
// or a container of such; ok is false for other values. It is nil until that package sets it.
var HandleOf func(value any) (handles any, ok bool)

// plainPython returns the Go value of a Python value that the ABI has no type for. One without a counterpart in Go is refused,
// as a func that takes anything would print its address; Go code of others gets a pythonObject.
func plainPython(v *abi.Any, depth uint32, lent *handles.Lent) (any, error) {
	parts, err := Unpack("any", v)
	if m, unknown := err.(*Mismatch); unknown {
		if PythonHandle != nil {
			return PythonHandle(v)
		}
		return nil, fault.New("TypeError", "expected a value with a counterpart in Go, got %s", m.Words())
	}
	if err != nil {
		return nil, err
	}
	defer values.Release(parts)
	items := abi.SeqOf(parts.Pointer()).Items() // the kind, then the value itself or what it is equal to
	kind, _ := items[0].Text()
	switch kind {
	case "object":
		name, _ := items[1].Text()
		if FuncOf == nil && PythonHandle != nil {
			return PythonHandle(v)
		}
		if FuncOf == nil {
			return nil, fault.New("TypeError", "expected a value with a counterpart in Go, got %s", name)
		}
		return pythonObjectOf(v, string([]byte(name))), nil
	case "enum": // a member is equal to nothing else, so what Go code of others keeps must be the member
		if FuncOf != nil {
			name, _ := items[2].Text()
			return pythonObjectOf(v, string([]byte(name))), nil
		}
	case "time":
		made, err := plainAs[any](timeType, &items[1])
		if err != nil && PythonHandle != nil { // a datetime without a time zone, and others that are no time.Time
			return PythonHandle(v)
		}
		return made, err
	case "delta":
		return plainAs[any](durationType, &items[1])
	case "complex":
		return plainAs[any](reflect.TypeFor[complex128](), &items[1])
	}
	return plainGo(&items[1], depth+1, lent)
}

// plainAs converts a value to a Go type.
func plainAs[R any](t reflect.Type, v *abi.Any) (value R, err error) {
	c, err := For(t)
	if err != nil {
		return value, err
	}
	memory := reflect.New(t)
	if err := c.From(v, memory.UnsafePointer()); err != nil {
		if m, ok := err.(*Mismatch); ok {
			return value, m.Refused("", c.Name())
		}
		return value, err
	}
	return memory.Elem().Interface().(R), nil
}
