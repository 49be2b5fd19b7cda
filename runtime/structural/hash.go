package structural

import (
	"cmp"
	"math"
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// Hash returns the hash of a value (borrowed), which is equal for values that Equal finds equal with the same
// arguments. It is the same in every process, unless a free variable is used that is defined elsewhere.
//
// Errors: those of Equal.
func Hash(value *abi.Any, mapFreeVars, skipTensorContent bool) (uint64, error) {
	h := hashing{region: rootRegion(mapFreeVars), skipTensor: skipTensorContent}
	defer h.Release()
	return h.value(*value)
}

// hashing is one walk.
type hashing struct {
	graph.Walk
	hooks      graph.Column // __s_hash__
	region     Region
	skipTensor bool
	known      graph.Table   // the hashes of objects that may be met again
	variables  uint64        // how many variables were defined
	nodes      uint64        // how many shared nodes were hashed
	fields     []abi.Any     // a stack: the fields of the objects that the walk is inside of
	entries    []hashedEntry // a stack: the entries of the maps that the walk is inside of
}

// hashedEntry is an entry of a map.
type hashedEntry struct {
	key   uint64  // the hash of the key
	value abi.Any // owned
}

const canonicalNaN = 0x7ff8000000000000 // stands for every NaN

// plain returns the hash of a value that contains no other values; ok is false for a value that may.
func plain(v *abi.Any) (hash uint64, ok bool) {
	switch {
	case v.TypeIndex == abi.IndexFloat && math.IsNaN(v.Float64()):
		return container.Combine(uint64(abi.IndexFloat), canonicalNaN), true
	case v.TypeIndex <= abi.IndexBytes:
		return container.Hash(v), v.TypeIndex != abi.IndexObject
	case v.TypeIndex == abi.IndexBigInt:
		words := graph.BigWords(v.Pointer())
		content := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
		return container.Combine(uint64(v.TypeIndex), container.HashBytes(content)), true
	}
	return 0, false
}

// value hashes a value (borrowed).
func (h *hashing) value(v abi.Any) (uint64, error) {
	if hash, ok := plain(&v); ok {
		return hash, nil
	}
	obj := v.Pointer()
	switch v.TypeIndex {
	case abi.IndexShape:
		return graph.HashDims(v.TypeIndex, graph.Shape(obj)), nil
	case abi.IndexTensor:
		return h.tensor(obj)
	}
	if h.Pins.Depth() >= graph.MaxDepth {
		return 0, graph.ErrDepth("StructuralHash")
	}
	h.Pins.Push(obj)
	var hash uint64
	var err error
	switch v.TypeIndex {
	case abi.IndexArray, abi.IndexList:
		hash, err = h.sequence(obj)
	case abi.IndexMap, abi.IndexDict:
		hash, err = h.mapping(obj)
	default:
		hash, err = h.object(obj)
	}
	h.Pins.Pop()
	return hash, err
}

func (h *hashing) tensor(obj unsafe.Pointer) (uint64, error) {
	t := graph.TensorOf(obj)
	hash := graph.HashDims(abi.IndexTensor, t.Dims())
	hash = container.Combine(hash, abi.DataTypeValue(t.DType).Bits)
	if h.skipTensor {
		return hash, nil
	}
	content, err := t.Content("tensor", "hash")
	if err != nil {
		return 0, err
	}
	return container.Combine(hash, container.HashBytes(content)), nil
}

func (h *hashing) sequence(obj unsafe.Pointer) (uint64, error) {
	n := abi.SeqOf(obj).Size
	hash := container.Combine(graph.KeyHash(abi.TypeIndexOf(obj)), uint64(n))
	for i := int64(0); i < n; i++ {
		items := abi.SeqOf(obj).Items() // again for each element: a hook may have changed a List
		if i >= int64(len(items)) {
			return 0, fault.New("RuntimeError", "StructuralHash: a List was changed while it was hashed")
		}
		part, err := h.value(items[i])
		if err != nil {
			return 0, err
		}
		hash = container.Combine(hash, part)
	}
	return hash, nil
}

// mapping hashes a Map or Dict independently of the order of its entries. An entry counts only if the
// hash of its key is known: the key is a plain value, or an object that was hashed before.
func (h *hashing) mapping(obj unsafe.Pointer) (uint64, error) {
	c := container.MapOf(obj)
	hash := container.Combine(graph.KeyHash(abi.TypeIndexOf(obj)), c.Size)
	base := len(h.entries)
	for i := c.First(); i != container.NoBucket; i = c.Next(i) {
		p := c.At(i)
		key, ok := plain(&p.Key)
		if !ok {
			key, ok = h.known.Get(p.Key.Pointer())
		}
		if ok {
			h.entries = append(h.entries, hashedEntry{key, graph.Retain(p.Value)})
		}
	}
	end := len(h.entries)
	slices.SortStableFunc(h.entries[base:end], func(a, b hashedEntry) int { return cmp.Compare(a.key, b.key) })
	var err error
	for i := base; i < end && err == nil; i++ {
		key := h.entries[i].key
		hash = container.Combine(hash, key)
		if i+1 < end && h.entries[i+1].key == key {
			// The order of values with equal key hashes is not determined, so none of them counts.
			for i+1 < end && h.entries[i+1].key == key {
				i++
			}
			continue
		}
		var part uint64
		if part, err = h.value(h.entries[i].value); err == nil {
			hash = container.Combine(hash, part)
		}
	}
	for i := base; i < end; i++ {
		graph.Release(h.entries[i].value)
	}
	h.entries = h.entries[:base]
	return hash, err
}

// object hashes an object of a class as its structural kind asks.
func (h *hashing) object(obj unsafe.Pointer) (uint64, error) {
	h.Types.Skip = abi.FlagSEqHashIgnore
	t := h.Types.Of(abi.TypeIndexOf(obj))
	kind, err := kindOf(t)
	if err != nil {
		return 0, err
	}
	// An object with a single reference cannot be met again.
	shared := abi.StrongCount(obj) != 1
	if shared {
		if hash, ok := h.known.Get(obj); ok {
			return hash, nil
		}
	}
	region := h.region
	if kind == abi.SEqHashFreeVar {
		h.region = region.inVariable()
	}
	hash, err := h.parts(t, obj)
	h.region = region
	if err != nil {
		return 0, err
	}
	switch kind {
	case abi.SEqHashFreeVar:
		if region == RegionNone {
			hash = uint64(uintptr(obj)) // a variable that is defined elsewhere equals only itself
		} else {
			hash = container.Combine(hash, h.variables)
			h.variables++
		}
	case abi.SEqHashDAGNode:
		hash = container.Combine(hash, h.nodes)
		h.nodes++
	}
	if shared {
		h.Kept.Keep(obj)
		h.known.Set(obj, hash)
	}
	return hash, nil
}

// parts hashes an object of the class t with the class's hook, or field by field when it has none.
func (h *hashing) parts(t *graph.Type, obj unsafe.Pointer) (uint64, error) {
	hash := t.Info.KeyHash
	h.hooks.Name = "__s_hash__"
	hook, err := h.hooks.Function(t.Info.TypeIndex)
	if err != nil {
		return 0, err
	}
	if hook != nil {
		return h.hooked(hook, obj, hash)
	}
	n, base := len(t.Fields), len(h.fields)
	h.fields = slices.Grow(h.fields, n)[:base+n]
	if err := t.Read(obj, h.fields[base:base+n]); err != nil {
		h.fields = h.fields[:base]
		return 0, err
	}
	for i := 0; i < n && err == nil; i++ {
		region := h.region
		h.region = region.inField(t.Fields[i].Flags)
		var part uint64
		if part, err = h.value(h.fields[base+i]); err == nil {
			hash = container.Combine(hash, part)
		}
		h.region = region
	}
	if !t.Plain {
		graph.ReleaseAll(h.fields[base : base+n])
	}
	h.fields = h.fields[:base]
	return hash, err
}

var hashHook = graph.Hook{
	Operation: "StructuralHash", Result: "result of `__s_hash__`",
	Callback: "__s_hash__ callback", Values: 1, Args: 3,
}

func (h *hashing) hooked(hook, obj unsafe.Pointer, initial uint64) (uint64, error) {
	hash, err := h.CallIntHook(&hashHook, h.fromHook, hook, abi.ObjectValue(obj), abi.Int(int64(initial)))
	return uint64(hash), err
}

// fromHook hashes a part for a hook; more are the hash so far and the region.
func (h *hashing) fromHook(value, _ abi.Any, more []abi.Any) (abi.Any, error) {
	initial, err := graph.WantInt(&more[0], "argument #1 of a hook's callback")
	if err != nil {
		return abi.Any{}, err
	}
	asked, err := graph.WantInt(&more[1], "argument #2 of a hook's callback")
	if err != nil {
		return abi.Any{}, err
	}
	region := h.region
	h.region = region.entering(Region(asked))
	part, err := h.value(value)
	h.region = region
	return abi.Int(int64(container.Combine(uint64(initial), part))), err
}
