package convert

import (
	"bytes"
	"math"
	"reflect"
	"runtime"
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// GiveBack gives a Python object what the call changed, and releases what the argument needed. It fails for an object that cannot
// change. n may be nil.
func (n *Written) GiveBack() error {
	defer n.end()
	return n.giveBack()
}

// SyncAt gives a Python list what the call has changed at some indices until now, for a callback that gets them. n may be nil.
func (n *Written) SyncAt(indices []int) error {
	if n == nil || n.store != nil || n.variable.Kind() != reflect.Slice || n.of.inner != nil {
		return nil
	}
	for _, i := range indices {
		if i < 0 || i >= n.variable.Len() || isSame(n.before.Index(i), n.variable.Index(i)) {
			continue
		}
		if n.fixed {
			return n.cannotChange()
		}
		v, err := n.valueOf(n.variable.Index(i), nil)
		if err == nil {
			err = n.put("items", abi.Int(int64(i)), v)
		}
		if err != nil {
			return err
		}
		n.before.Index(i).Set(deepCopy(n.variable.Index(i), false))
	}
	return nil
}

func (n *Written) giveBack() error {
	switch {
	case n == nil:
		return nil
	case n.store != nil:
		return n.store()
	}
	defer runtime.KeepAlive(n)
	switch n.variable.Kind() {
	case reflect.Slice:
		return n.giveItems()
	case reflect.Map:
		return n.giveEntries()
	}
	return n.giveFields()
}

// sliceIdentity tells slices apart: by where the elements lie, and how many they are.
type sliceIdentity struct {
	first unsafe.Pointer
	n     int
}

func identityOf(slice reflect.Value) sliceIdentity {
	return sliceIdentity{slice.UnsafePointer(), slice.Len()}
}

// storeRows gives the rows of an array back, none of which may be another one.
func (n *Written) storeRows() error {
	for i, part := range n.parts {
		if identityOf(n.variable.Index(i)) != identityOf(n.before.Index(i)) {
			return fault.New("TypeError", "the func put another row into an array; pass a list of rows")
		}
		if err := part.giveBack(); err != nil {
			return err
		}
	}
	return nil
}

// giveItems gives a sequence the elements from the first to the last one that changed.
func (n *Written) giveItems() error {
	replaced, err := n.giveParts()
	if err != nil {
		return err
	}
	first, end := changedRange(n.before, n.variable, replaced, n.of.inner != nil)
	if first == end {
		return nil
	}
	if n.fixed {
		return n.cannotChange()
	}
	if n.of.isBytes() {
		v, err := values.NewBytes(n.variable.Slice(first, end).Bytes())
		if err != nil {
			return err
		}
		return n.put("bytes", abi.Int(int64(first)), v)
	}
	if n.of.inner == nil { // all at once
		part := reflect.New(reflect.SliceOf(n.of.t.Elem()))
		part.Elem().Set(n.variable.Slice(first, end).Convert(part.Type().Elem()))
		conv, err := ForPlain(part.Type().Elem())
		if err != nil {
			return err
		}
		var v abi.Any
		if err := PlainResult(conv).To(part.UnsafePointer(), &v); err != nil {
			return err
		}
		return n.put("list", abi.Int(int64(first)), v)
	}
	owned := []abi.Any{abi.Int(int64(first))}
	for i := first; i < end; i++ {
		v, err := n.valueOf(n.variable.Index(i), replaced)
		if err != nil {
			values.ReleaseAll(owned)
			return AtIndex("Array", i, err)
		}
		owned = append(owned, v)
	}
	return n.put("items", owned...)
}

// giveParts gives the parts of an object back. It returns those that cannot change and did: they need another object in their place.
func (n *Written) giveParts() (replaced map[*Written]bool, err error) {
	for _, part := range n.parts {
		if part == nil {
			continue
		}
		if part.fixed && part.isChanged() {
			if replaced == nil {
				replaced = map[*Written]bool{}
			}
			replaced[part] = true
		} else if err := part.giveBack(); err != nil {
			return nil, err
		}
	}
	return replaced, nil
}

func (n *Written) isChanged() bool {
	if n.variable.Kind() == reflect.Map {
		return !isSame(n.before, n.variable)
	}
	first, end := changedRange(n.before, n.variable, nil, false)
	return first != end
}

// valueOf returns the owned value of an element: the Python object that had it, wherever it was, else a new one.
func (n *Written) valueOf(element reflect.Value, replaced map[*Written]bool) (v abi.Any, err error) {
	for _, part := range n.parts {
		if part != nil && !replaced[part] && part.source.TypeIndex == abi.IndexOpaquePyObject && part.has(element) {
			abi.IncRef(part.source.Pointer())
			return part.source, nil
		}
	}
	if element.Kind() == reflect.Slice && element.IsNil() {
		return abi.None(), nil
	}
	variable := reflect.New(element.Type())
	variable.Elem().Set(element)
	err = PlainResult(n.of.elements).To(variable.UnsafePointer(), &v)
	return v, err
}

// has says whether a value is what Go code got of the object.
func (n *Written) has(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.Slice:
		return n.variable.Kind() == reflect.Slice && n.variable.Len() > 0 && identityOf(value) == identityOf(n.variable)
	case reflect.Pointer:
		return n.variable.CanAddr() && value.UnsafePointer() == n.variable.Addr().UnsafePointer()
	}
	return value.UnsafePointer() == n.variable.UnsafePointer()
}

// giveEntries gives a dict or a set what changed.
func (n *Written) giveEntries() error {
	replaced, err := n.giveParts()
	if err != nil {
		return err
	}
	parts := map[any]*Written{}
	for i, key := range n.keys {
		parts[key.Interface()] = n.parts[i]
	}
	var owned []abi.Any
	defer func() { values.ReleaseAll(owned) }()
	add := func(conv *Conv, value reflect.Value) error {
		variable := reflect.New(value.Type())
		variable.Elem().Set(value)
		var v abi.Any
		err := PlainResult(conv).To(variable.UnsafePointer(), &v)
		owned = append(owned, v)
		return err
	}
	for _, key := range n.before.MapKeys() {
		if !n.variable.MapIndex(key).IsValid() {
			if err := add(n.of.keys, key); err != nil {
				return err
			}
		}
	}
	gone := len(owned)
	for entries := n.variable.MapRange(); entries.Next(); {
		key, value := entries.Key(), entries.Value()
		old, part := n.before.MapIndex(key), parts[key.Interface()]
		unchanged := old.IsValid()
		switch {
		case !unchanged:
		case part != nil:
			unchanged = !replaced[part] && part.has(value)
		case n.of.inner != nil && value.Kind() == reflect.Slice:
			unchanged = identityOf(old) == identityOf(value)
		default:
			unchanged = isSame(old, value)
		}
		if unchanged {
			continue
		}
		if err := add(n.of.keys, key); err != nil {
			return err
		}
		if n.of.inner == nil {
			err = add(n.of.elements, value)
		} else {
			var v abi.Any
			v, err = n.valueOf(value, replaced)
			owned = append(owned, v)
		}
		if err != nil {
			return err
		}
	}
	if len(owned) == 0 {
		return nil
	}
	if n.fixed {
		return n.cannotChange()
	}
	all := append([]abi.Any{abi.Int(int64(gone))}, owned...)
	owned = nil
	return n.put("entries", all...)
}

// giveFields gives an object the fields of the struct that changed.
func (n *Written) giveFields() error {
	var owned []abi.Any
	for _, f := range n.of.record.Fields {
		if isSame(n.before.Field(f.index), n.variable.Field(f.index)) {
			continue
		}
		name, err := values.NewText(f.attribute())
		var v abi.Any
		if err == nil {
			err = PlainResult(f.Conv).To(n.variable.Field(f.index).Addr().UnsafePointer(), &v)
		}
		owned = append(owned, name, v)
		if err != nil {
			values.ReleaseAll(owned)
			return err
		}
	}
	if len(owned) == 0 {
		return nil
	}
	return n.put("fields", owned...)
}

// put has Python change the object. It takes over the parts.
func (n *Written) put(kind string, owned ...abi.Any) error {
	defer values.ReleaseAll(owned)
	service := pythonStore.Function()
	if service == nil {
		return fault.New("RuntimeError", "the process has no Python to change an object in")
	}
	v, err := values.CallValues(service, append([]abi.Any{KindValue(kind), n.source}, owned...))
	values.Release(v)
	return err
}

func (n *Written) cannotChange() error {
	got := "an object"
	if n.source.TypeIndex != abi.IndexOpaquePyObject {
		got = ValueTypeKey(&n.source)
		if n.of.isBytes() {
			got = "bytes"
		}
	} else {
		got = Mismatched(&n.source).Error()
	}
	return fault.New("TypeError", "the func wrote into it, and a %s cannot change; pass one that can, such as a %s", got,
		map[bool]string{true: "bytearray", false: "list"}[n.of.isBytes()])
}

// changedRange returns where the elements lie that differ; the same number twice when none does. parts: of slices in the elements the
// identity counts.
func changedRange(before, now reflect.Value, replaced map[*Written]bool, parts bool) (first, end int) {
	n := now.Len()
	size := now.Type().Elem().Size()
	if k := now.Type().Elem().Kind(); k >= reflect.Bool && k <= reflect.Complex128 && n > 0 { // their bytes tell
		a := unsafe.Slice((*byte)(before.UnsafePointer()), uintptr(n)*size)
		b := unsafe.Slice((*byte)(now.UnsafePointer()), uintptr(n)*size)
		if bytes.Equal(a, b) {
			return 0, 0
		}
		for int(size)*(first+1) <= len(a) && bytes.Equal(a[first*int(size):(first+1)*int(size)], b[first*int(size):(first+1)*int(size)]) {
			first++
		}
		for end = n; bytes.Equal(a[(end-1)*int(size):end*int(size)], b[(end-1)*int(size):end*int(size)]); {
			end--
		}
		return first, end
	}
	same := func(i int) bool {
		if parts && now.Type().Elem().Kind() == reflect.Slice {
			return len(replaced) == 0 && identityOf(before.Index(i)) == identityOf(now.Index(i))
		}
		return len(replaced) == 0 && isSame(before.Index(i), now.Index(i))
	}
	for first < n && same(first) {
		first++
	}
	if first == n {
		return 0, 0
	}
	for end = n; same(end - 1); {
		end--
	}
	return first, end
}

// isSame says whether a value is as its copy was. What a pointer leads to does not count, nor a change from one NaN to the same.
func isSame(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Slice, reflect.Array:
		if a.Kind() == reflect.Slice && (a.IsNil() != b.IsNil() || a.Len() != b.Len()) {
			return false
		}
		for i := range a.Len() {
			if !isSame(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for entries := a.MapRange(); entries.Next(); {
			if value := b.MapIndex(entries.Key()); !value.IsValid() || !isSame(entries.Value(), value) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			if !isSame(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Func:
		return a.UnsafePointer() == b.UnsafePointer()
	case reflect.Interface:
		if a.IsNil() || b.IsNil() || a.Elem().Type() != b.Elem().Type() {
			return a.IsNil() && b.IsNil()
		}
		return isSame(a.Elem(), b.Elem())
	}
	return a.Equal(b)
}

// numberTypes are the types of the elements of tensors.
var numberTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](),
}

// storeNumbers stores the changed numbers of a slice in the tensor of which it is a copy.
func storeNumbers(tensor *abi.DLTensor, before, now reflect.Value) error {
	at := slices.IndexFunc(numberTypes, func(t reflect.Type) bool { return DataTypeOf(t) == tensor.DType })
	if at < 0 {
		return fault.New("TypeError", "expected an array of numbers, got one of %s", tensor.DType)
	}
	step := 1
	if steps := tensor.Steps(); steps != nil {
		step = int(steps[0])
	}
	size := int(tensor.DType.Bits) / 8
	for i := range now.Len() {
		if isSame(before.Index(i), now.Index(i)) {
			continue
		}
		element := reflect.NewAt(numberTypes[at], unsafe.Add(tensor.Data, int(tensor.ByteOffset)+i*step*size)).Elem()
		if !storeNumber(element, now.Index(i)) {
			return fault.New("OverflowError", "element %d: %v does not fit into an array of %s", i, now.Index(i), tensor.DType)
		}
	}
	return nil
}

// storeNumber stores a number in a variable of another type; false when that cannot hold it.
func storeNumber(to, number reflect.Value) bool {
	switch {
	case to.Kind() == reflect.Bool || number.Kind() == reflect.Bool:
		if to.Kind() != number.Kind() {
			return false
		}
		to.SetBool(number.Bool())
	case number.CanFloat() && to.CanFloat():
		to.SetFloat(number.Float())
	default:
		to.Set(number.Convert(to.Type()))
		return to.Convert(number.Type()).Equal(number)
	}
	return true
}
