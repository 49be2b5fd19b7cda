package containers

import (
	"math"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Containers change through the builtin functions of the runtime, which has the rules. They take borrowed values.
// RATIONALE.md, "Why containers change in C, and Go reads them"

// builtin is a builtin function that is looked up at its first call.
type builtin struct {
	name     string
	once     sync.Once
	function unsafe.Pointer // for the life of the process
	err      error
}

var (
	listAppend       = builtin{name: "ffi.ListAppend"}
	listInsert       = builtin{name: "ffi.ListInsert"}
	listEraseRange   = builtin{name: "ffi.ListEraseRange"}
	listReplaceSlice = builtin{name: "ffi.ListReplaceSlice"}
	listReserve      = builtin{name: "ffi.ListReserve"}
	listReverse      = builtin{name: "ffi.ListReverse"}
	listClear        = builtin{name: "ffi.ListClear"}
	mapGetOrMissing  = builtin{name: "ffi.MapGetItemOrMissing"}
	dictGetOrMissing = builtin{name: "ffi.DictGetItemOrMissing"}
	dictSetItem      = builtin{name: "ffi.DictSetItem"}
	dictErase        = builtin{name: "ffi.DictErase"}
	dictClear        = builtin{name: "ffi.DictClear"}
	invalidObject    = builtin{name: "ffi.GetInvalidObject"}
)

// call calls the function with the first n of four values. The caller owns the result.
func (f *builtin) call(n int, a, b, c, d abi.Any) (abi.Any, error) {
	f.once.Do(func() { f.function, f.err = values.GlobalObject(f.name) })
	if f.err != nil {
		return abi.Any{}, f.err
	}
	var result abi.Any
	if n <= 2 {
		result = bridge.Call2(f.function, n, a, b)
	} else {
		result = bridge.Call4(f.function, n, a, b, c, d)
	}
	if result.TypeIndex == bridge.Failed {
		return abi.Any{}, fault.Take(result.Pointer())
	}
	return result, nil
}

// change calls a function that returns nothing.
func (f *builtin) change(n int, object unsafe.Pointer, b, c, d abi.Any) error {
	_, err := f.call(n, abi.ObjectValue(object), b, c, d)
	return err
}

var none abi.Any

// AppendToList adds a borrowed value at the end of a List.
func AppendToList(list unsafe.Pointer, v abi.Any) error {
	return listAppend.change(2, list, v, none, none)
}

// ReplaceInList replaces the elements from i to j, which must lie within the List, by borrowed values.
func ReplaceInList(list unsafe.Pointer, i, j int, by []abi.Any) error {
	start, stop := abi.Int(int64(i)), abi.Int(int64(j))
	switch {
	case len(by) == 0:
		return listEraseRange.change(3, list, start, stop, none)
	case len(by) == 1 && i == j:
		return listInsert.change(3, list, start, by[0], none)
	}
	array, err := values.NewContainer(abi.IndexArray, by)
	if err != nil {
		return err
	}
	defer bridge.DecRef(array)
	return listReplaceSlice.change(4, list, start, stop, abi.ObjectValue(array))
}

// ReserveInList makes room for n elements in total.
func ReserveInList(list unsafe.Pointer, n int64) error {
	// Not every runtime tells such a number from one for which there is no memory.
	if n > math.MaxInt64/int64(unsafe.Sizeof(abi.Any{})) {
		return fault.New("MemoryError", "selfsame: a container cannot have that many elements")
	}
	return listReserve.change(2, list, abi.Int(n), none, none)
}

// ReverseList reverses the order of the elements.
func ReverseList(list unsafe.Pointer) error { return listReverse.change(1, list, none, none, none) }

// ClearList removes all elements.
func ClearList(list unsafe.Pointer) error { return listClear.change(1, list, none, none, none) }

// SetInDict stores a borrowed value under a borrowed key.
func SetInDict(dict unsafe.Pointer, k, v abi.Any) error {
	return dictSetItem.change(3, dict, k, v, none)
}

// DeleteInDict removes the entry of a borrowed key, and reports whether there was one.
func DeleteInDict(dict unsafe.Pointer, k abi.Any) (bool, error) {
	if hooks().NoneFor(&k) {
		if container.FindWithoutHooks(dict, &k) == nil {
			return false, nil
		}
		return true, dictErase.change(2, dict, k, none, none)
	}
	before := container.MapOf(dict).Size
	err := dictErase.change(2, dict, k, none, none)
	return container.MapOf(dict).Size != before, err
}

// ClearDict removes all entries.
func ClearDict(dict unsafe.Pointer) error { return dictClear.change(1, dict, none, none, none) }

// getHooked looks up a borrowed key whose class has a hash or equality hook. The value is owned.
func getHooked(object unsafe.Pointer, key abi.Any) (value abi.Any, ok bool, err error) {
	get := &mapGetOrMissing
	if abi.TypeIndexOf(object) == abi.IndexDict {
		get = &dictGetOrMissing
	}
	missing, err := invalidObject.call(0, none, none, none, none)
	if err != nil {
		return abi.Any{}, false, err
	}
	defer values.Release(missing)
	value, err = get.call(2, abi.ObjectValue(object), key, none, none)
	if err != nil || value != missing {
		return value, err == nil, err
	}
	values.Release(value)
	return abi.Any{}, false, nil
}

// hooks are those of this process.
var hooks = sync.OnceValue(func() *container.Hooks {
	return &container.Hooks{Hash: bridge.AttrColumn("__any_hash__"), Equal: bridge.AttrColumn("__any_equal__")}
})
