package control

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

var (
	mapParam  = param{"ffi.Map", `{"type":"ffi.Map"}`, oneOf(abi.IndexMap)}
	dictParam = param{"ffi.Dict", `{"type":"ffi.Dict"}`, oneOf(abi.IndexDict)}
	// dictAnyParam also accepts a Map, of which the function changes a copy, as the published library does.
	dictAnyParam = param{"Dict<Any, Any>", `{"type":"ffi.Dict","args":[{"type":"Any"},{"type":"Any"}]}`,
		oneOf(abi.IndexDict, abi.IndexMap)}

	returnsDevice = returns{"Device", `{"type":"Device"}`}
)

// mapBuiltins returns the functions over Map and Dict. builtins_fast_map.c has fast paths for most of them.
func mapBuiltins() []builtin {
	all := readMap("ffi.Map", abi.IndexMap, mapParam)
	all = append(all, readMap("ffi.Dict", abi.IndexDict, dictParam)...)
	return append(all,
		typed("ffi.DictSetItem", returnsVoid, onDict(dictSetItem), dictAnyParam, anyParam, anyParam),
		typed("ffi.DictErase", returnsVoid, onDict(dictErase), dictAnyParam, anyParam),
		typed("ffi.DictClear", returnsVoid, onDict(func(dict unsafe.Pointer, _ []abi.Any) (abi.Any, error) {
			containers.Clear(dict)
			return abi.Any{}, nil
		}), dictAnyParam),
		typed("ffi.ContainerFindFirstNonCPUDevice", returnsDevice, func(args []abi.Any) (abi.Any, error) {
			return firstNonCPUDevice(args[0])
		}, anyParam),
	)
}

// readMap returns the functions that Map and Dict have in common: those that make one and read it.
func readMap(prefix string, typeIndex int32, self param) []builtin {
	return []builtin{
		packed(prefix, func(args []abi.Any) (abi.Any, error) { return mapOfArgs(typeIndex, args) }),
		typed(prefix+"Size", returnsInt, func(args []abi.Any) (abi.Any, error) {
			return abi.Int(int64(container.MapOf(args[0].Pointer()).Size)), nil
		}, self),
		typed(prefix+"GetItem", returnsAny, func(args []abi.Any) (abi.Any, error) {
			value, found, err := lookUp(args)
			if err == nil && !found {
				err = errorf("KeyError", "key is not in Map")
			}
			return value, err
		}, self, anyParam),
		typed(prefix+"Count", returnsInt, func(args []abi.Any) (abi.Any, error) {
			value, found, err := lookUp(args)
			containers.Release(value)
			if !found {
				return abi.Int(0), err
			}
			return abi.Int(1), err
		}, self, anyParam),
		typed(prefix+"GetItemOrMissing", returnsAny, func(args []abi.Any) (abi.Any, error) {
			value, found, err := lookUp(args)
			if err == nil && !found {
				value = retained(invalidObject)
			}
			return value, err
		}, self, anyParam),
		// RATIONALE.md, "Why an iterator over a map is in C".
		typed(prefix+"ForwardIterFunctor", returnsFunction, func(args []abi.Any) (abi.Any, error) {
			handle, ok := plane.MapIterator(args[0].Pointer())
			if !ok {
				return abi.Any{}, errRaised
			}
			return abi.ObjectValue(handle), nil
		}, self),
	}
}

// mapOfArgs makes a Map or Dict from alternating keys and values.
func mapOfArgs(typeIndex int32, args []abi.Any) (abi.Any, error) {
	if len(args)%2 != 0 {
		return abi.Any{}, errorf("InternalError", "Check failed: args.size() %% 2 == 0 (1 vs. 0) : ")
	}
	handle, err := containers.NewMap(typeIndex)
	if err != nil {
		return abi.Any{}, err
	}
	for i := 0; i < len(args); i += 2 {
		if err := setView(handle, &args[i], &args[i+1]); err != nil {
			plane.DecRef(handle)
			return abi.Any{}, err
		}
	}
	return abi.ObjectValue(handle), nil
}

// setView stores a value under a key; both are views.
func setView(m unsafe.Pointer, key, value *abi.Any) error {
	k, err := owned(key)
	if err != nil {
		return err
	}
	v, err := owned(value)
	if err != nil {
		containers.Release(k)
		return err
	}
	return containers.Set(m, k, v)
}

// lookUp finds the value of a key; args are the map and the key. The caller owns the value.
func lookUp(args []abi.Any) (value abi.Any, found bool, err error) {
	key, release, err := keyView(&args[1])
	if err != nil {
		return abi.Any{}, false, err
	}
	defer release()
	entry, err := containers.Find(args[0].Pointer(), &key)
	if err != nil || entry == nil {
		return abi.Any{}, false, err
	}
	return container.Retain(entry.Value), true, nil
}

// onDict makes a builtin's body from a function on a Dict. For a Map as first argument, f gets a Dict that is a copy.
func onDict(f func(dict unsafe.Pointer, args []abi.Any) (abi.Any, error)) body {
	return func(args []abi.Any) (abi.Any, error) {
		if args[0].TypeIndex == abi.IndexDict {
			return f(args[0].Pointer(), args[1:])
		}
		dict, err := containers.CopyMap(args[0].Pointer(), abi.IndexDict)
		if err != nil {
			return abi.Any{}, err
		}
		defer plane.DecRef(dict)
		return f(dict, args[1:])
	}
}

func dictSetItem(dict unsafe.Pointer, args []abi.Any) (abi.Any, error) {
	return abi.Any{}, setView(dict, &args[0], &args[1])
}

func dictErase(dict unsafe.Pointer, args []abi.Any) (abi.Any, error) {
	key, release, err := keyView(&args[0])
	if err != nil {
		return abi.Any{}, err
	}
	defer release()
	_, err = containers.Erase(dict, &key)
	return abi.Any{}, err
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
