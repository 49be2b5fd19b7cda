package structural

import (
	"bytes"
	"math"
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/runtime/accesspath"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// Equal reports whether two values (borrowed) have the same structure. Variables that are defined inside
// the values are equal if they correspond to each other; other variables are equal only to themselves, unless
// mapFreeVars counts them as defined. With skipTensorContent, Tensors are equal if their shapes and data types are.
//
// Errors: TypeError (a class that cannot be compared), ValueError (nested too deep), InternalError (a Tensor whose
// content cannot be read), and those of hooks.
func Equal(a, b *abi.Any, mapFreeVars, skipTensorContent bool) (bool, error) {
	e := equality{region: rootRegion(mapFreeVars), skipTensor: skipTensorContent}
	defer e.release()
	return e.values(*a, *b)
}

// FirstMismatch returns where two values (borrowed) differ first: an Array of two AccessPaths, one per value, owned by
// the caller; None when they are equal. The other arguments and the errors are those of Equal.
func FirstMismatch(a, b *abi.Any, mapFreeVars, skipTensorContent bool) (abi.Any, error) {
	e := equality{region: rootRegion(mapFreeVars), skipTensor: skipTensorContent, tracing: true}
	defer e.release()
	same, err := e.values(*a, *b)
	if err != nil || same {
		return abi.None(), err
	}
	left, err := accesspath.FromSteps(taken(&e.left))
	if err != nil {
		return abi.None(), err
	}
	right, err := accesspath.FromSteps(taken(&e.right))
	if err != nil {
		graph.Release(abi.ObjectValue(left))
		return abi.None(), err
	}
	pair, err := graph.NewArray([]abi.Any{abi.ObjectValue(left), abi.ObjectValue(right)})
	if err != nil {
		return abi.None(), err
	}
	return abi.ObjectValue(pair), nil
}

// taken moves the steps out of a field, so that release does not drop them.
func taken(steps *[]unsafe.Pointer) []unsafe.Pointer {
	s := *steps
	*steps = nil
	return s
}

// equality is one comparison.
type equality struct {
	graph.Walk
	hooks      graph.Column // __s_equal__
	region     Region
	skipTensor bool
	toRight    graph.Table // shared nodes and variables on the left: the object on the right that each corresponds to
	toLeft     graph.Table // the reverse
	fields     []abi.Any   // a stack: the fields of the objects that the walk is inside of

	tracing     bool             // the paths to the difference are wanted
	left, right []unsafe.Pointer // these paths: owned AccessSteps, the innermost first
}

func (e *equality) release() {
	e.Release()
	for _, step := range append(e.left, e.right...) {
		graph.Release(abi.ObjectValue(step))
	}
}

// values compares two values (borrowed).
func (e *equality) values(a, b abi.Any) (bool, error) {
	if a.TypeIndex != b.TypeIndex {
		return sameText(&a, &b), nil
	}
	if a.TypeIndex < abi.IndexStaticObjectBegin {
		if a.TypeIndex == abi.IndexFloat && math.IsNaN(a.Float64()) {
			return math.IsNaN(b.Float64()), nil
		}
		return a == b, nil
	}
	switch a.TypeIndex {
	case abi.IndexStr, abi.IndexBytes:
		return a == b || sameText(&a, &b), nil
	case abi.IndexShape:
		return slices.Equal(graph.Shape(a.Pointer()), graph.Shape(b.Pointer())), nil
	case abi.IndexTensor:
		return tensorsEqual(a.Pointer(), b.Pointer(), e.skipTensor)
	case abi.IndexBigInt:
		return slices.Equal(graph.BigWords(a.Pointer()), graph.BigWords(b.Pointer())), nil
	}
	if e.Pins.Depth() >= 2*graph.MaxDepth {
		return false, graph.ErrDepth("StructuralEqual")
	}
	x, y := a.Pointer(), b.Pointer()
	e.Pins.Push(x)
	e.Pins.Push(y)
	var same bool
	var err error
	switch a.TypeIndex {
	case abi.IndexArray, abi.IndexList:
		same, err = e.sequences(x, y)
	case abi.IndexMap:
		same, err = e.maps(x, y)
	case abi.IndexDict:
		same, err = e.dicts(x, y)
	default:
		same, err = e.objects(x, y)
	}
	e.Pins.Pop()
	e.Pins.Pop()
	return same, err
}

// sameText compares the content of two strings or two bytes, each small or on the heap.
func sameText(a, b *abi.Any) bool {
	if graph.IsString(a.TypeIndex) && graph.IsString(b.TypeIndex) || graph.IsBytes(a.TypeIndex) && graph.IsBytes(b.TypeIndex) {
		p, _, _ := a.Content()
		q, _, _ := b.Content()
		return bytes.Equal(p, q)
	}
	return false
}

func (e *equality) sequences(a, b unsafe.Pointer) (bool, error) {
	n, m := abi.SeqOf(a).Size, abi.SeqOf(b).Size
	if n != m && !e.tracing {
		return false, nil
	}
	for i := int64(0); i < min(n, m); i++ {
		// Read again for each element: a hook may have changed a List.
		x, y := abi.SeqOf(a).Items(), abi.SeqOf(b).Items()
		if i >= int64(min(len(x), len(y))) {
			return false, fault.New("RuntimeError", "StructuralEqual: a List was changed while it was compared")
		}
		same, err := e.values(x[i], y[i])
		if err != nil {
			return false, err
		}
		if !same {
			return false, e.mismatch(accesspath.ArrayItem, abi.Int(i), accesspath.ArrayItem, abi.Int(i))
		}
	}
	switch {
	case n > m:
		return false, e.mismatch(accesspath.ArrayItem, abi.Int(m), accesspath.ArrayItemMissing, abi.Int(m))
	case n < m:
		return false, e.mismatch(accesspath.ArrayItemMissing, abi.Int(n), accesspath.ArrayItem, abi.Int(n))
	}
	return true, nil
}

// mismatch adds a step to each of the paths to the difference, if these are wanted. The keys are borrowed.
func (e *equality) mismatch(left accesspath.Kind, leftKey abi.Any, right accesspath.Kind, rightKey abi.Any) error {
	if !e.tracing {
		return nil
	}
	step, err := accesspath.NewStep(left, graph.Retain(leftKey))
	if err != nil {
		return err
	}
	e.left = append(e.left, step)
	if step, err = accesspath.NewStep(right, graph.Retain(rightKey)); err != nil {
		return err
	}
	e.right = append(e.right, step)
	return nil
}

// translate returns the object that a key corresponds to on the other side, if the walk has met it, else the key.
func translate(t *graph.Table, key abi.Any) abi.Any {
	if !key.IsObject() {
		return key
	}
	other, ok := t.Get(key.Pointer())
	if !ok {
		return key
	}
	return abi.ObjectValue(graph.Pointer(other))
}

// find returns the entry of a key in a Map or Dict, nil when there is none.
func (e *equality) find(m unsafe.Pointer, key *abi.Any) (*container.Pair, error) {
	if key.TypeIndex > abi.IndexBytes {
		e.Pins.Pin() // the key's class may have a hook for its hash
	}
	return graph.Containers.Find(m, key)
}

// maps compares two Maps. They need no copy of their entries as Dicts do: nobody changes a Map that has two references,
// and before a hook runs, the walk takes one.
func (e *equality) maps(a, b unsafe.Pointer) (bool, error) {
	x, y := container.MapOf(a), container.MapOf(b)
	if x.Size != y.Size && !e.tracing {
		return false, nil
	}
	for i := x.First(); i != container.NoBucket; i = x.Next(i) {
		if same, err := e.entry(*x.At(i), b); err != nil || !same {
			return false, err
		}
	}
	if x.Size == y.Size {
		return true, nil
	}
	for i := y.First(); i != container.NoBucket; i = y.Next(i) {
		if found, err := e.reverseEntry(y.At(i).Key, a); err != nil || !found {
			return false, err
		}
	}
	return false, nil
}

// dicts compares two Dicts. It goes through copies of their entries, because a hook may change a Dict.
func (e *equality) dicts(a, b unsafe.Pointer) (bool, error) {
	x, y := container.MapOf(a), container.MapOf(b)
	if x.Size != y.Size && !e.tracing {
		return false, nil
	}
	left := graph.Pairs(a)
	defer graph.ReleasePairs(left)
	for _, p := range left {
		if same, err := e.entry(p, b); err != nil || !same {
			return false, err
		}
	}
	if len(left) == int(y.Size) {
		return true, nil
	}
	right := graph.Pairs(b)
	defer graph.ReleasePairs(right)
	for _, p := range right {
		if found, err := e.reverseEntry(p.Key, a); err != nil || !found {
			return false, err
		}
	}
	return false, nil
}

// entry compares an entry of the left map with the entry of the corresponding key in the right map b.
func (e *equality) entry(p container.Pair, b unsafe.Pointer) (bool, error) {
	key := translate(&e.toRight, p.Key)
	other, err := e.find(b, &key)
	if err != nil {
		return false, err
	}
	if other == nil {
		return false, e.mismatch(accesspath.MapItem, p.Key, accesspath.MapItemMissing, key)
	}
	same, err := e.values(p.Value, other.Value)
	if err != nil {
		return false, err
	}
	if !same {
		return false, e.mismatch(accesspath.MapItem, p.Key, accesspath.MapItem, key)
	}
	return true, nil
}

// reverseEntry reports whether the left map a has the key that corresponds to a key of the right map.
func (e *equality) reverseEntry(key abi.Any, a unsafe.Pointer) (bool, error) {
	mine := translate(&e.toLeft, key)
	other, err := e.find(a, &mine)
	if err != nil {
		return false, err
	}
	if other == nil {
		return false, e.mismatch(accesspath.MapItemMissing, mine, accesspath.MapItem, key)
	}
	return true, nil
}

// objects compares two objects of one class.
func (e *equality) objects(a, b unsafe.Pointer) (bool, error) {
	e.Types.Skip = abi.FlagSEqHashIgnore
	t := e.Types.Of(abi.TypeIndexOf(a))
	kind, err := kindOf(t)
	if err != nil {
		return false, err
	}
	switch kind {
	case abi.SEqHashUniqueInstance:
		return a == b, nil
	case abi.SEqHashTreeNode:
		return e.parts(t, a, b)
	case abi.SEqHashConstTreeNode:
		if a == b {
			return true, nil
		}
		return e.parts(t, a, b)
	}
	// Shared nodes and variables: each on the left corresponds to one on the right, everywhere in the two values.
	if other, ok := e.toRight.Get(a); ok {
		return graph.Pointer(other) == b, nil
	}
	if _, ok := e.toLeft.Get(b); ok {
		return false, nil
	}
	region := e.region
	if kind == abi.SEqHashFreeVar {
		e.region = region.inVariable()
	}
	same, err := e.parts(t, a, b)
	e.region = region
	if err != nil || !same {
		return false, err
	}
	if kind == abi.SEqHashFreeVar && a != b && region == RegionNone {
		return false, nil
	}
	e.bind(a, b)
	return true, nil
}

// bind notes that two objects correspond to each other. Objects with a single reference cannot be met again.
func (e *equality) bind(a, b unsafe.Pointer) {
	if abi.StrongCount(a) == 1 && abi.StrongCount(b) == 1 {
		return
	}
	e.Kept.Keep(a)
	e.Kept.Keep(b)
	e.toRight.Set(a, uint64(uintptr(b)))
	e.toLeft.Set(b, uint64(uintptr(a)))
}

// parts compares two objects of the class t with the class's hook, or field by field when it has none.
func (e *equality) parts(t *graph.Type, a, b unsafe.Pointer) (bool, error) {
	e.hooks.Name = "__s_equal__"
	hook, err := e.hooks.Function(t.Info.TypeIndex)
	if err != nil {
		return false, err
	}
	if hook != nil {
		return e.hooked(hook, a, b)
	}
	n, base := len(t.Fields), len(e.fields)
	e.fields = slices.Grow(e.fields, 2*n)[:base+2*n]
	if err := t.ReadPair(a, b, e.fields[base:base+n], e.fields[base+n:base+2*n]); err != nil {
		e.fields = e.fields[:base]
		return false, err
	}
	same, err := true, error(nil)
	for i := 0; i < n && same && err == nil; i++ {
		region := e.region
		e.region = region.inField(t.Fields[i].Flags)
		same, err = e.values(e.fields[base+i], e.fields[base+n+i])
		e.region = region
		if err == nil && !same {
			err = e.fieldMismatch(t.Fields[i].Name())
		}
	}
	if !t.Plain {
		graph.ReleaseAll(e.fields[base : base+2*n])
	}
	e.fields = e.fields[:base]
	return same && err == nil, err
}

// fieldMismatch is mismatch for a field of both objects.
func (e *equality) fieldMismatch(name []byte) error {
	if !e.tracing {
		return nil
	}
	key, err := graph.NewText(name)
	if err != nil {
		return err
	}
	defer graph.Release(key)
	return e.mismatch(accesspath.Attr, key, accesspath.Attr, key)
}

var equalHook = graph.Hook{
	Operation: "StructuralEqual", Result: "result of `__s_equal__`",
	Callback: "__s_equal__ callback", Values: 2, Args: 4,
}

func (e *equality) hooked(hook, a, b unsafe.Pointer) (bool, error) {
	same, err := e.CallIntHook(&equalHook, e.fromHook, hook, abi.ObjectValue(a), abi.ObjectValue(b))
	return same != 0, err
}

// fromHook compares two parts for a hook; more are the region and the name of the field.
func (e *equality) fromHook(a, b abi.Any, more []abi.Any) (abi.Any, error) {
	asked, err := graph.WantInt(&more[0], "argument #2 of a hook's callback")
	if err != nil {
		return abi.Any{}, err
	}
	region := e.region
	e.region = region.entering(Region(asked))
	same, err := e.values(a, b)
	e.region = region
	if err == nil && !same && e.tracing {
		name, isText := more[1].Text()
		if !isText {
			return abi.Any{}, fault.Type("Cannot convert from type `%s` to `str`", graph.Key(&more[1]))
		}
		err = e.fieldMismatch([]byte(name))
	}
	return abi.Bool(same), err
}
