package control

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
)

var (
	mapParam  = param{"ffi.Map", `{"type":"ffi.Map"}`, oneOf(abi.IndexMap)}
	dictParam = param{"ffi.Dict", `{"type":"ffi.Dict"}`, oneOf(abi.IndexDict)}
	// dictAnyParam also accepts a Map, of which the function changes a copy.
	dictAnyParam = param{"Dict<Any, Any>", `{"type":"ffi.Dict","args":[{"type":"Any"},{"type":"Any"}]}`,
		oneOf(abi.IndexDict, abi.IndexMap)}

	returnsDevice = returns{"Device", `{"type":"Device"}`}
)

// mapBuiltins returns the functions over Map and Dict: builtins_fast_map.c.
func mapBuiltins() []builtin {
	all := readMap("ffi.Map", mapParam)
	all = append(all, readMap("ffi.Dict", dictParam)...)
	return append(all,
		typedInC("ffi.DictSetItem", returnsVoid, dictAnyParam, anyParam, anyParam),
		typedInC("ffi.DictErase", returnsVoid, dictAnyParam, anyParam),
		typedInC("ffi.DictClear", returnsVoid, dictAnyParam),
		typed("ffi.ContainerFindFirstNonCPUDevice", returnsDevice, func(args []abi.Any) (abi.Any, error) {
			return firstNonCPUDevice(args[0])
		}, anyParam),
	)
}

// readMap returns the functions that Map and Dict have in common: those that make one and read it.
func readMap(prefix string, self param) []builtin {
	return []builtin{
		packedInC(prefix),
		typedInC(prefix+"Size", returnsInt, self),
		typedInC(prefix+"GetItem", returnsAny, self, anyParam),
		typedInC(prefix+"Count", returnsInt, self, anyParam),
		typedInC(prefix+"GetItemOrMissing", returnsAny, self, anyParam),
		// abi/include/selfsame/internal/map_cursor.h says why.
		typedInC(prefix+"ForwardIterFunctor", returnsFunction, self),
	}
}

const deviceCPU = 1

// firstNonCPUDevice searches the elements of sequences and the values of maps, depth first, for a tensor that is not on
// the CPU.
func firstNonCPUDevice(root abi.Any) (abi.Any, error) {
	found := abi.DeviceValue(abi.Device{Type: deviceCPU})
	seen := map[unsafe.Pointer]bool{} // a List may contain itself
	var search func(value abi.Any) bool
	search = func(value abi.Any) bool {
		switch value.TypeIndex {
		case abi.IndexTensor:
			device := *(*abi.Device)(unsafe.Add(value.Pointer(), abi.BodyOffset+8))
			if device.Type != deviceCPU {
				found = abi.DeviceValue(device)
				return true
			}
			return false
		case abi.IndexArray, abi.IndexList, abi.IndexMap, abi.IndexDict:
		default:
			return false
		}
		handle := value.Pointer()
		if seen[handle] {
			return false
		}
		seen[handle] = true
		if value.TypeIndex == abi.IndexArray || value.TypeIndex == abi.IndexList {
			for _, item := range abi.SeqOf(handle).Items() {
				if search(item) {
					return true
				}
			}
			return false
		}
		for p := range container.MapOf(handle).All {
			if search(p.Value) {
				return true
			}
		}
		return false
	}
	search(root)
	return found, nil
}
