package convert

import (
	"fmt"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// A parameter through which a func writes: a slice, a Go map, a pointer to a struct, or an any that has one of these. Python passes the
// object itself, opaque, beside memory that can be written, which is lent. After the call the object gets what changed.
//
// Why an object gets only what changed. A func of which nobody knows whether it writes takes an immutable object too: it is an error
// only if the copy was changed. And the elements that stay are the caller's own objects, not equal ones.

// Writing says how an argument is taken.
type Writing struct {
	Surely bool // the func is known to write: an object that cannot change is refused
	Copies bool // the func may keep the memory, so it gets memory of its own
	Nil    bool // None is nil
}

// Written is one argument of a call: a Python object, or one inside of another, and what Go code has of it. nil: nothing is to be done.
type Written struct {
	of       *writable
	source   abi.Any       // the Python object; of a part it is owned by whole's parts
	fixed    bool          // the object cannot change
	variable reflect.Value // what Go code has: a slice, a map, or the struct
	before   reflect.Value // a copy of it
	parts    []*Written    // those of the elements, which are nil where an element has none; of a map in the order of keys
	keys     []reflect.Value
	store    func() error // gives the changed elements back to other memory; nil: the object gets them
	owned    *[]abi.Any   // parts of Python objects, which live until the end; nil: there are none
}

// writable is how values of one type are taken and given back.
type writable struct {
	t        reflect.Type
	conv     *Conv // of the type
	elements *Conv // of a slice or map: of its elements or values; of a pointer: of the struct
	keys     *Conv // of a map
	inner    *writable
	record   *Record // of a pointer to a struct
}

// writableOf returns how values of a type are taken through which a func can write; nil for other types.
func writableOf(t reflect.Type) (*writable, error) {
	conv, err := ForPlain(t)
	if err != nil {
		return nil, err
	}
	w := &writable{t: t, conv: conv}
	switch {
	case t == AnyType:
		return w, nil
	case t.Kind() == reflect.Slice:
	case t.Kind() == reflect.Map:
		if w.keys, err = ForPlain(t.Key()); err != nil {
			return nil, err
		}
	case t.Kind() == reflect.Pointer && len(conv.Records) > 0 && conv.Records[0].GoType == t.Elem():
		w.record = conv.Records[0]
		w.elements, err = ForPlain(t.Elem())
		return w, err
	default:
		return nil, nil
	}
	if w.elements, err = ForPlain(t.Elem()); err == nil && t.Elem() != AnyType {
		w.inner, err = writableOf(t.Elem())
	}
	return w, err
}

// isBytes says whether values are the bytes of a buffer.
func (w *writable) isBytes() bool {
	return w.t.Kind() == reflect.Slice && w.t.Elem().Kind() == reflect.Uint8
}

// WrittenConv makes the conversion of a parameter through which a func writes: of a struct whose first field has the type t and whose
// field at the offset back is a *Written.
func WrittenConv(t reflect.Type, back uintptr, how Writing) (*Conv, error) {
	if of, ok := reflect.Zero(t).Interface().(nilable); ok {
		t, how.Nil = of.nilableType(), true
	}
	w, err := writableOf(t)
	if err != nil || w == nil {
		return nil, fault.New("TypeError", "%s is no type through which a func writes: %v", t, err)
	}
	c := CallConv("", "", func(p unsafe.Pointer, v *abi.Any) error {
		if how.Nil && v.TypeIndex == abi.IndexNone {
			return nil
		}
		made, err := w.take(v, reflect.NewAt(t, p).Elem(), how)
		if err != nil {
			made.end()
			return err
		}
		*(**Written)(unsafe.Add(p, back)) = made
		return nil
	}, w.conv.To)
	c.Traits = TraitsOf(w.conv)
	c.CallsOnly, c.OnlyParameter = true, "is a parameter only; use "+t.String()
	c.Writes, c.WritesAny = true, t == AnyType
	c.CopiesBytes, c.tensor = w.isBytes(), w.conv.tensor
	c.Name, c.Schema = w.conv.Name, w.conv.Schema
	c.Type = TypeOnce(func() *bridge.Type { return KindType(bridge.KindAny, w.conv.Name())() })
	if how.Surely && t.Kind() == reflect.Slice && w.conv.Schema() == NestedSchema("ffi.Array", w.elements.Schema()) {
		c.Schema = func() string { return NestedSchema("ffi.List", w.elements.Schema()) }
	}
	if how.Nil {
		c.acceptNil()
	}
	return c, nil
}

// take stores at to, a variable, the Go value of a borrowed value.
func (w *writable) take(v *abi.Any, to reflect.Value, how Writing) (*Written, error) {
	if tensor, ok := TensorIn(v); ok && (w.conv.tensor != nil || w.isBytes()) {
		return w.takeTensor(tensor, to, how)
	}
	n := &Written{of: w, source: *v}
	b, isBytes := values.CopiedBytes(v)
	switch {
	case isBytes && w.isBytes():
		if how.Surely {
			return nil, &Mismatch{Got: "bytes", hint: "; the func writes in it, so it takes memory that can be written, as a bytearray"}
		}
		n.fixed = true
		n.hold(to, reflect.ValueOf(b).Convert(w.t))
		return n, nil
	case v.TypeIndex == abi.IndexArray || v.TypeIndex == abi.IndexMap || v.TypeIndex == abi.IndexList || v.TypeIndex == abi.IndexDict:
		return w.takeCopy(v, to, how)
	case v.TypeIndex != abi.IndexOpaquePyObject:
		return nil, w.conv.From(v, to.Addr().UnsafePointer())
	case w.t == AnyType:
		return w.takeAny(v, to, how)
	case w.record != nil:
		p := reflect.New(w.t.Elem())
		if err := w.elements.From(v, p.UnsafePointer()); err != nil {
			return nil, err
		}
		to.Set(p)
		n.variable = p.Elem()
		n.remember()
		return n, nil
	}
	if form := RowsForm(w.t); form != nil && !how.Surely {
		if done, err := readArrow(form, v, to); done {
			n.fixed = true
			n.hold(to, reflect.ValueOf(to.Interface()))
			return n, err
		}
	}
	kind := "wseq"
	if w.isBytes() {
		kind = "wbytes"
	} else if w.keys != nil {
		kind = "wmap"
	}
	made, err := Unpack(kind, v, abi.Bool(how.Surely), abi.Bool(w.inner != nil))
	if err != nil {
		return nil, err
	}
	n.owned = &[]abi.Any{made}
	runtime.AddCleanup(n, releaseOwned, n.owned)
	items := abi.SeqOf(made.Pointer()).Items()
	n.fixed = items[0].Int64() == 0
	how.Surely = false // of parts: the whole gets another one in place of one that cannot change
	switch items = items[1:]; kind {
	case "wbytes":
		b, _ := values.CopiedBytes(&items[0])
		n.hold(to, reflect.ValueOf(b).Convert(w.t))
	case "wseq":
		err = n.takeItems(items, to, how)
	default:
		err = n.takeEntries(items, to, how)
	}
	if w.inner == nil {
		n.release()
	}
	return n, err
}

// takeCopy takes a container of the ABI, of which nobody sees a change. It is what becomes of a list that is passed by keyword to a func
// with defaults: the core does not know whose argument it is.
func (w *writable) takeCopy(v *abi.Any, to reflect.Value, how Writing) (*Written, error) {
	if how.Surely && w.t != AnyType {
		return nil, &Mismatch{Got: "a copy, as of a keyword argument: pass it by its place"}
	}
	if err := w.conv.From(v, to.Addr().UnsafePointer()); err != nil || w.t == AnyType || w.record != nil {
		return nil, err
	}
	whole := *w
	whole.inner = nil // the parts are compared with it
	n := &Written{of: &whole, source: *v, fixed: true}
	n.variable = reflect.New(w.t).Elem()
	n.variable.Set(to)
	n.remember()
	return n, nil
}

// releaseOwned releases the parts of an argument that nobody gave back, as the conversion of another one failed.
func releaseOwned(owned *[]abi.Any) {
	values.ReleaseAll(*owned)
	*owned = nil
}

func (n *Written) release() {
	if n.owned != nil {
		releaseOwned(n.owned)
	}
}

// end releases what an argument and its parts own. n may be nil.
func (n *Written) end() {
	if n == nil {
		return
	}
	for _, part := range n.parts {
		part.end()
	}
	n.release()
}

// hold gives Go code a value and keeps a copy.
func (n *Written) hold(to, value reflect.Value) {
	to.Set(value)
	n.variable = value
	n.remember()
}

// remember keeps a copy of what Go code has. Parts keep their own.
func (n *Written) remember() {
	v := n.variable
	switch {
	case n.of.inner == nil:
		n.before = deepCopy(v, false)
	case v.Kind() == reflect.Slice:
		n.before = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(n.before, v)
	default:
		n.before = reflect.MakeMapWithSize(v.Type(), v.Len())
		for entries := v.MapRange(); entries.Next(); {
			n.before.SetMapIndex(entries.Key(), entries.Value())
		}
	}
}

func (n *Written) takeItems(items []abi.Any, to reflect.Value, how Writing) error {
	w := n.of
	made := reflect.New(reflect.SliceOf(w.t.Elem())).Elem()
	if loops := w.elements.loops(); loops == nil || !loops.readSlice(items, made.Addr().UnsafePointer(), false) {
		made.Set(reflect.MakeSlice(made.Type(), len(items), len(items)))
		if w.inner != nil {
			n.parts = make([]*Written, len(items))
		}
		for i := range items {
			part, err := w.element(&items[i], made.Index(i), how)
			if err != nil {
				return AtIndex("Array", i, err)
			}
			if n.parts != nil {
				n.parts[i] = part
			}
		}
	}
	n.hold(to, made.Convert(w.t))
	return nil
}

// element stores at to the element of a borrowed value.
func (w *writable) element(v *abi.Any, to reflect.Value, how Writing) (*Written, error) {
	if w.inner == nil {
		return nil, w.elements.From(v, to.Addr().UnsafePointer())
	}
	if v.TypeIndex == abi.IndexNone { // a nil slice is one that the func makes
		to.SetZero()
		return nil, nil
	}
	return w.inner.take(v, to, how)
}

func (n *Written) takeEntries(items []abi.Any, to reflect.Value, how Writing) error {
	w := n.of
	made := reflect.MakeMapWithSize(w.t, len(items)/2)
	for i := 0; i < len(items); i += 2 {
		key, value := reflect.New(w.t.Key()).Elem(), reflect.New(w.t.Elem()).Elem()
		if err := w.keys.From(&items[i], key.Addr().UnsafePointer()); err != nil {
			return atEntry("Map", "key", &items[i], err)
		}
		part, err := w.element(&items[i+1], value, how)
		if err != nil {
			return atEntry("Map", "value", &items[i], err)
		}
		made.SetMapIndex(key, value)
		if part != nil {
			n.keys, n.parts = append(n.keys, key), append(n.parts, part)
		}
	}
	if made.Len() != len(items)/2 {
		if err := collisionInGo(w.t, entryKeys(items), w.keys.converting(w.t.Key()), never); err != nil {
			return err
		}
	}
	n.hold(to, made)
	return nil
}

// takeAny does take's work for a list or a dict where Go takes any.
func (w *writable) takeAny(v *abi.Any, to reflect.Value, how Writing) (*Written, error) {
	of := reflect.TypeFor[[]any]()
	made, err := Unpack("wany", v)
	if err != nil {
		return nil, err
	}
	if made.Int64() != 0 {
		of = reflect.TypeFor[map[string]any]()
	}
	as, err := writableOf(of)
	if err != nil {
		return nil, err
	}
	value := reflect.New(of).Elem()
	n, err := as.take(v, value, how)
	if err == nil {
		to.Set(value)
	}
	return n, err
}

// takeTensor lets Go code write into the numbers of a tensor, or takes a copy where their type is another one or they do not adjoin.
func (w *writable) takeTensor(tensor *abi.DLTensor, to reflect.Value, how Writing) (*Written, error) {
	extents := tensor.Extents()
	if w.inner != nil && len(extents) > 1 && onCPU(tensor) && HasMemory(tensor) {
		n := &Written{of: w}
		rows := reflect.MakeSlice(w.t, int(extents[0]), int(extents[0]))
		for i := range rows.Len() {
			row := rowOf(tensor, i)
			part, err := w.inner.takeTensor(&row, rows.Index(i), how)
			if err != nil {
				return nil, AtIndex("Array", i, err)
			}
			n.parts = append(n.parts, part)
		}
		n.hold(to, rows)
		n.store = n.storeRows
		return n, nil
	}
	if first, count, ok := adjacentNumbers(tensor, DataTypeOf(w.t.Elem())); ok && !how.Copies {
		*(*SliceHeader)(to.Addr().UnsafePointer()) = SliceHeader{First: first, Len: count, Cap: count}
		return nil, nil
	}
	if w.isBytes() {
		return w.takeBytes(tensor, to, how)
	}
	copied := reflect.New(w.t).Elem()
	if err := w.conv.tensor.from(tensor, copied.Addr().UnsafePointer()); err != nil {
		return nil, err
	}
	n := &Written{of: w}
	n.hold(to, copied)
	kept := *tensor
	n.store = func() error { return storeNumbers(&kept, n.before, n.variable) }
	return n, nil
}

// takeBytes copies the bytes of a tensor.
func (w *writable) takeBytes(tensor *abi.DLTensor, to reflect.Value, how Writing) (*Written, error) {
	numbers, err := writableOf(reflect.TypeFor[[]uint16]()) // whose tensors are copied from those of bytes too
	if err != nil {
		return nil, err
	}
	var wide []uint16
	if tensor.DType != DataTypeOf(w.t.Elem()) {
		return nil, &Mismatch{Got: fmt.Sprintf("an array of %s", tensor.DType)}
	}
	if err := numbers.conv.tensor.from(tensor, unsafe.Pointer(&wide)); err != nil {
		return nil, err
	}
	copied := make([]byte, len(wide))
	for i, b := range wide {
		copied[i] = byte(b)
	}
	n := &Written{of: w}
	n.hold(to, reflect.ValueOf(copied).Convert(w.t))
	kept := *tensor
	n.store = func() error { return storeNumbers(&kept, n.before, n.variable) }
	return n, nil
}

// rowOf returns the tensor of one row.
func rowOf(tensor *abi.DLTensor, i int) abi.DLTensor {
	row := *tensor
	step := 1
	if steps := tensor.Steps(); steps != nil {
		step = int(steps[0])
		row.Strides = unsafe.Add(tensor.Strides, 8)
	} else {
		for _, extent := range tensor.Extents()[1:] {
			step *= int(extent)
		}
	}
	row.NDim--
	row.Shape = unsafe.Add(tensor.Shape, 8)
	row.ByteOffset += uint64(i * step * int(tensor.DType.Bits) / 8)
	return row
}
