package control

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

var (
	listParam = param{"ffi.List", `{"type":"ffi.List"}`, oneOf(abi.IndexList)}
	// listAnyParam also accepts an Array, of which the function changes a copy, as the published library does.
	listAnyParam = param{"List<Any>", `{"type":"ffi.List","args":[{"type":"Any"}]}`, oneOf(abi.IndexList, abi.IndexArray)}
)

// listBuiltins returns the functions over List. builtins_fast_sequence.c has fast paths for most of them.
func listBuiltins() []builtin {
	return []builtin{
		packed("ffi.List", func(args []abi.Any) (abi.Any, error) {
			values, err := ownedAll(args)
			if err != nil {
				return abi.Any{}, err
			}
			return newList(values)
		}),
		typed("ffi.ListGetItem", returnsAny, arrayGetItem, listParam, intParam),
		typed("ffi.ListSetItem", returnsVoid, onList(listSetItem), listAnyParam, intParam, anyParam),
		typed("ffi.ListSize", returnsInt, func(args []abi.Any) (abi.Any, error) {
			return abi.Int(abi.SeqOf(args[0].Pointer()).Size), nil
		}, listParam),
		typed("ffi.ListContains", returnsBool, sequenceContains, listParam, anyParam),
		typed("ffi.ListAppend", returnsVoid, onList(listAppend), listAnyParam, anyParam),
		typed("ffi.ListInsert", returnsVoid, onList(listInsert), listAnyParam, intParam, anyParam),
		typed("ffi.ListPop", returnsAny, onList(listPop), listAnyParam, intParam),
		typed("ffi.ListErase", returnsVoid, onList(listErase), listAnyParam, intParam),
		typed("ffi.ListEraseRange", returnsVoid, onList(listEraseRange), listAnyParam, intParam, intParam),
		typed("ffi.ListReplaceSlice", returnsVoid, onList(listReplaceSlice), listAnyParam, intParam, intParam, listAnyParam),
		typed("ffi.ListReverse", returnsVoid, onList(func(list unsafe.Pointer, _ []abi.Any) (abi.Any, error) {
			container.Reverse(list)
			return abi.Any{}, nil
		}), listAnyParam),
		typed("ffi.ListClear", returnsVoid, onList(func(list unsafe.Pointer, _ []abi.Any) (abi.Any, error) {
			containers.ClearList(list)
			return abi.Any{}, nil
		}), listAnyParam),
		typed("ffi.ListReserve", returnsVoid, onList(func(list unsafe.Pointer, args []abi.Any) (abi.Any, error) {
			return abi.Any{}, containers.Reserve(list, args[0].Int64())
		}), listAnyParam, intParam),
	}
}

// onList makes a builtin's body from a function on a List. For an Array as first argument, f gets a List that is a
// copy.
func onList(f func(list unsafe.Pointer, args []abi.Any) (abi.Any, error)) body {
	return func(args []abi.Any) (abi.Any, error) {
		if args[0].TypeIndex == abi.IndexList {
			return f(args[0].Pointer(), args[1:])
		}
		list, err := listOf(&args[0])
		if err != nil {
			return abi.Any{}, err
		}
		defer plane.DecRef(list.Pointer())
		return f(list.Pointer(), args[1:])
	}
}

// listOf makes a List of the elements of an Array or List. The caller owns it.
func listOf(sequence *abi.Any) (abi.Any, error) {
	values, err := ownedAll(abi.SeqOf(sequence.Pointer()).Items())
	if err != nil {
		return abi.Any{}, err
	}
	return newList(values)
}

// checkIndex returns an IndexError unless i is the index of an element.
func checkIndex(list unsafe.Pointer, i int64) error {
	if n := abi.SeqOf(list).Size; i < 0 || i >= n {
		return errorf("IndexError", "Index %d out of bounds %d", i, n)
	}
	return nil
}

// checkInsertion returns an IndexError unless an element can be inserted before index i.
func checkInsertion(list unsafe.Pointer, i int64) error {
	if n := abi.SeqOf(list).Size; i < 0 || i > n {
		return errorf("IndexError", "Index %d out of bounds [0, %d]", i, n)
	}
	return nil
}

// checkErasure returns an IndexError unless start to stop is a range of elements. An empty range is valid anywhere.
func checkErasure(list unsafe.Pointer, start, stop int64) error {
	if n := abi.SeqOf(list).Size; start != stop && (start < 0 || stop > n || start > stop) {
		return errorf("IndexError", "Erase range [%d, %d) out of bounds %d", start, stop, n)
	}
	return nil
}

func listSetItem(list unsafe.Pointer, args []abi.Any) (abi.Any, error) {
	i := args[0].Int64()
	if err := checkIndex(list, i); err != nil {
		return abi.Any{}, err
	}
	value, err := owned(&args[1])
	if err != nil {
		return abi.Any{}, err
	}
	containers.SetItem(list, i, value)
	return abi.Any{}, nil
}

func listAppend(list unsafe.Pointer, args []abi.Any) (abi.Any, error) {
	value, err := owned(&args[0])
	if err != nil {
		return abi.Any{}, err
	}
	return abi.Any{}, containers.Append(list, value)
}

func listInsert(list unsafe.Pointer, args []abi.Any) (abi.Any, error) {
	i := args[0].Int64()
	if err := checkInsertion(list, i); err != nil {
		return abi.Any{}, err
	}
	value, err := owned(&args[1])
	if err != nil {
		return abi.Any{}, err
	}
	return abi.Any{}, containers.Replace(list, i, i, []abi.Any{value})
}

func listPop(list unsafe.Pointer, args []abi.Any) (abi.Any, error) {
	i := args[0].Int64()
	if err := checkIndex(list, i); err != nil {
		return abi.Any{}, err
	}
	return container.Take(list, i), nil
}

func listErase(list unsafe.Pointer, args []abi.Any) (abi.Any, error) {
	taken, err := listPop(list, args)
	containers.Release(taken)
	return abi.Any{}, err
}

func listEraseRange(list unsafe.Pointer, args []abi.Any) (abi.Any, error) {
	start, stop := args[0].Int64(), args[1].Int64()
	if err := checkErasure(list, start, stop); err != nil || start == stop {
		return abi.Any{}, err
	}
	return abi.Any{}, containers.Replace(list, start, stop, nil)
}

func listReplaceSlice(list unsafe.Pointer, args []abi.Any) (abi.Any, error) {
	start, stop := args[0].Int64(), args[1].Int64()
	if err := checkErasure(list, start, stop); err != nil {
		return abi.Any{}, err
	}
	replacement := abi.SeqOf(args[2].Pointer()).Items()
	if start == stop {
		if len(replacement) == 0 {
			return abi.Any{}, nil
		}
		if err := checkInsertion(list, start); err != nil {
			return abi.Any{}, err
		}
	}
	values, err := ownedAll(replacement)
	if err != nil {
		return abi.Any{}, err
	}
	return abi.Any{}, containers.Replace(list, start, stop, values)
}

// sequenceContains searches an Array or List (args[0]) for a value (args[1]).
func sequenceContains(args []abi.Any) (abi.Any, error) {
	value, release, err := keyView(&args[1])
	if err != nil {
		return abi.Any{}, err
	}
	defer release()
	seq := abi.SeqOf(args[0].Pointer())
	for i := int64(0); i < seq.Size; i++ { // Size is read again each time: a comparison may run any code
		item := container.Retain(seq.Items()[i])
		same, err := containers.Equal(&item, &value)
		containers.Release(item)
		if err != nil || same {
			return abi.Bool(same), err
		}
	}
	return abi.Bool(false), nil
}
