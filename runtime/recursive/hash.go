package recursive

import (
	"math"
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// Hash returns the hash of a value (borrowed), which is equal for values that Equal finds equal.
//
// Errors: ValueError (a class with a hook for comparisons but none for hashes, nested too deep), RecursionError, and
// those of hooks.
func Hash(value *abi.Any) (uint64, error) {
	h := hashing{}
	h.Types.Skip = abi.FlagHashOff | abi.FlagCompareOff
	h.own.Name, h.eq.Name, h.cmp.Name = "__ffi_hash__", "__ffi_eq__", "__ffi_compare__"
	defer h.Release()
	return h.value(*value)
}

// hashing is one walk.
type hashing struct {
	graph.Walk
	own, eq, cmp graph.Column
	known        graph.Table // objects that may be met again: 1 + position in hashes
	hashes       []hashed
	fields       []abi.Any // a stack: the fields of the objects that the walk is inside of
	entries      []uint64  // a stack: the hashes of the entries of the maps that the walk is inside of
}

// hashed is the hash of an object; done is false while the walk is inside of the object.
type hashed struct {
	hash uint64
	done bool
}

// value hashes a value (borrowed).
func (h *hashing) value(v abi.Any) (uint64, error) {
	if v.TypeIndex < abi.IndexStaticObjectBegin || v.TypeIndex == abi.IndexStr || v.TypeIndex == abi.IndexBytes {
		return plain(&v), nil
	}
	obj := v.Pointer()
	if v.TypeIndex == abi.IndexShape {
		return graph.HashDims(v.TypeIndex, graph.Shape(obj)), nil
	}
	// An object with a single reference cannot be met again.
	if abi.StrongCount(obj) == 1 {
		return h.fresh(obj)
	}
	if at, ok := h.known.Get(obj); ok {
		if known := h.hashes[at-1]; known.done {
			return known.hash, nil
		}
		return graph.KeyHash(v.TypeIndex), nil // a cycle
	}
	h.Kept.Keep(obj)
	h.hashes = append(h.hashes, hashed{})
	at := len(h.hashes)
	h.known.Set(obj, uint64(at))
	hash, err := h.fresh(obj)
	h.hashes[at-1] = hashed{hash, true}
	return hash, err
}

// plain returns the hash of a value that contains no other values.
func plain(v *abi.Any) uint64 {
	index := uint64(v.TypeIndex)
	switch v.TypeIndex {
	case abi.IndexNone:
		return container.Combine(0, 0)
	case abi.IndexBool:
		return container.Combine(index, min(v.Bits, 1))
	case abi.IndexFloat:
		switch f := v.Float64(); {
		case math.IsNaN(f):
			return container.Combine(index, 0x7ff8000000000000)
		case f == 0:
			return container.Combine(index, 0)
		}
	case abi.IndexDataType:
		t := v.DataType()
		hash := container.Combine(index, uint64(t.Code))
		hash = container.Combine(hash, uint64(t.Bits))
		return container.Combine(hash, uint64(t.Lanes))
	case abi.IndexDevice:
		d := v.Device()
		return container.Combine(container.Combine(index, uint64(int64(d.Type))), uint64(int64(d.ID)))
	}
	return container.Hash(v) // strings and bytes by content, small or on the heap
}

// fresh hashes an object that the walk has not met before.
func (h *hashing) fresh(obj unsafe.Pointer) (uint64, error) {
	if h.Pins.Depth() >= graph.MaxDepth {
		return 0, graph.ErrDepth("RecursiveHash")
	}
	h.Pins.Push(obj)
	hash, err := h.object(obj, abi.TypeIndexOf(obj))
	h.Pins.Pop()
	return hash, err
}

// object hashes an object with its class's hook, or its elements or fields when it has none.
func (h *hashing) object(obj unsafe.Pointer, index int32) (uint64, error) {
	hook, err := h.own.Function(index)
	if err != nil {
		return 0, err
	}
	if hook != nil {
		return h.hooked(hook, obj)
	}
	switch index {
	case abi.IndexArray, abi.IndexList:
		return h.sequence(obj, index)
	case abi.IndexMap, abi.IndexDict:
		return h.mapping(obj, index)
	}
	if index >= abi.IndexStaticObjectEnd && (h.eq.Value(index).TypeIndex != abi.IndexNone || h.cmp.Value(index).TypeIndex != abi.IndexNone) {
		return 0, fault.Value("RecursiveHash: type '%s' defines __ffi_eq__ or __ffi_compare__ but not __ffi_hash__. "+
			"Add a __ffi_hash__ hook to maintain the invariant RecursiveEq(a,b) => RecursiveHash(a)==RecursiveHash(b).",
			graph.TypeKey(index))
	}
	return h.instance(obj, index)
}

func (h *hashing) sequence(obj unsafe.Pointer, index int32) (uint64, error) {
	hash := container.Combine(graph.KeyHash(index), uint64(abi.SeqOf(obj).Size))
	for i := 0; ; i++ {
		items := abi.SeqOf(obj).Items() // again for each element: a hook may have changed a List
		if i >= len(items) {
			return hash, nil
		}
		part, err := h.value(items[i])
		if err != nil {
			return 0, err
		}
		hash = container.Combine(hash, container.Combine(part, uint64(i)))
	}
}

// mapping hashes a Map or Dict independently of the order of its entries.
func (h *hashing) mapping(obj unsafe.Pointer, index int32) (uint64, error) {
	pairs := graph.Pairs(obj)
	defer graph.ReleasePairs(pairs)
	base := len(h.entries)
	defer func() { h.entries = h.entries[:base] }()
	for i := range pairs {
		key, err := h.value(pairs[i].Key)
		if err != nil {
			return 0, err
		}
		value, err := h.value(pairs[i].Value)
		if err != nil {
			return 0, err
		}
		h.entries = append(h.entries, container.Combine(key, value))
	}
	slices.Sort(h.entries[base:])
	hash := container.Combine(graph.KeyHash(index), uint64(len(pairs)))
	for _, entry := range h.entries[base:] {
		hash = container.Combine(hash, entry)
	}
	return hash, nil
}

func (h *hashing) instance(obj unsafe.Pointer, index int32) (uint64, error) {
	t := h.Types.Of(index)
	n, base := len(t.Fields), len(h.fields)
	h.fields = slices.Grow(h.fields, n)[:base+n]
	defer func() { h.fields = h.fields[:base] }()
	if err := t.Read(obj, h.fields[base:base+n]); err != nil {
		return 0, err
	}
	if !t.Plain {
		defer func() { graph.ReleaseAll(h.fields[base : base+n]) }()
	}
	hash := t.Info.KeyHash
	for i := range n {
		part, err := h.value(h.fields[base+i])
		if err != nil {
			return 0, err
		}
		hash = container.Combine(hash, part)
	}
	return hash, nil
}

var hashHook = graph.Hook{
	Operation: "RecursiveHash", Result: "result of `__ffi_hash__`",
	Callback: "__ffi_hash__ callback", Values: 1, Args: 1,
}

func (h *hashing) hooked(hook, obj unsafe.Pointer) (uint64, error) {
	hash, err := h.CallIntHook(&hashHook, h.fromHook, hook, abi.ObjectValue(obj))
	return uint64(hash), err
}

// fromHook hashes a part for a hook.
func (h *hashing) fromHook(value, _ abi.Any, _ []abi.Any) (abi.Any, error) {
	hash, err := h.value(value)
	return abi.Int(int64(hash)), err
}
