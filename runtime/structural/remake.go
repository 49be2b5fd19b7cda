package structural

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// remaking mutates the parts of values. Its functions are those of a mutation, or call the C functions of a mutator that
// another library made.
type remaking struct {
	mutator unsafe.Pointer // borrowed
	enter   func(v abi.Any, inPlace bool) abi.Any
	get     func(variable abi.Any) abi.Any
	set     func(variable, value abi.Any) abi.Any
	foreign func(func() abi.Any) abi.Any
	types   graph.Types
	copying graph.Column // __s_mutate__
	inPlace graph.Column // __s_maybe_inplace_mutate__
	shallow graph.Column // __ffi_shallow_copy__
}

func (r *remaking) start() {
	r.types.Skip = abi.FlagSEqHashIgnore
	r.copying.Name, r.inPlace.Name, r.shallow.Name = "__s_mutate__", "__s_maybe_inplace_mutate__", "__ffi_shallow_copy__"
}

// remakingOf returns a remaking that calls a mutator, whichever library made it.
func remakingOf(mutator unsafe.Pointer) *remaking {
	r := &remaking{
		mutator: mutator,
		enter: func(v abi.Any, inPlace bool) abi.Any {
			return Mutators.Through(mutator, v, inPlace && v.IsObject() && abi.StrongCount(v.Pointer()) == 1)
		},
		get:     func(variable abi.Any) abi.Any { return Mutators.RemapGet(mutator, variable) },
		set:     func(variable, value abi.Any) abi.Any { return Mutators.RemapSet(mutator, variable, value) },
		foreign: func(call func() abi.Any) abi.Any { return call() },
	}
	r.start()
	return r
}

// MutateParts mutates the parts of a value (borrowed) with a mutator, whichever library made it. The caller owns the
// result.
func MutateParts(mutator unsafe.Pointer, v abi.Any) (abi.Any, error) {
	return settled(remakingOf(mutator).parts(v, false), v)
}

// MutateElements mutates the elements of a builtin container (borrowed) with a mutator, whichever library made it; of a
// Map or Dict, the values. The outcome is the caller's.
func MutateElements(mutator unsafe.Pointer, v abi.Any, inPlace bool) abi.Any {
	switch v.TypeIndex {
	case abi.IndexArray, abi.IndexList, abi.IndexMap, abi.IndexDict:
		return remakingOf(mutator).elements(v, inPlace)
	}
	return ErrorValue(fault.Type("structural mutate: a container was expected, got `%s`", graph.Key(&v)))
}

// parts mutates the parts of a value. An Error gets the value in its context.
func (r *remaking) parts(v abi.Any, inPlace bool) abi.Any {
	outcome := r.dispatch(v, inPlace)
	if failed(outcome) {
		addToContext(outcome.Pointer(), v)
	}
	return outcome
}

// dispatch mutates the parts of a value with the hook of its type, or field by field when it has none.
func (r *remaking) dispatch(v abi.Any, inPlace bool) abi.Any {
	if inPlace {
		hook := r.inPlace.Value(v.TypeIndex)
		if hook.TypeIndex == abi.IndexOpaquePtr || hook.TypeIndex == abi.IndexFunction {
			return r.hooked(hook, v, true)
		}
	}
	hook := r.copying.Value(v.TypeIndex)
	switch hook.TypeIndex {
	case abi.IndexNone:
	case abi.IndexOpaquePtr, abi.IndexFunction:
		return r.hooked(hook, v, false)
	default:
		return ErrorValue(fault.Type("__s_mutate__ must be a direct hook pointer or ffi.Function"))
	}
	if !v.IsObject() {
		value, err := graph.Owned(&v)
		if err != nil {
			return ErrorValue(err)
		}
		return value
	}
	return r.object(v)
}

func (r *remaking) hooked(hook, v abi.Any, inPlace bool) abi.Any {
	if hook.TypeIndex == abi.IndexOpaquePtr {
		if Mutators.IsContainer(hook.Pointer()) {
			return r.elements(v, inPlace)
		}
		return r.foreign(func() abi.Any { return Mutators.Native(hook.Pointer(), r.mutator, v) })
	}
	return r.foreign(func() abi.Any {
		result, err := graph.Call(hook.Pointer(), abi.ObjectValue(r.mutator), v)
		if err != nil {
			return ErrorValue(err)
		}
		return result
	})
}

// object mutates the fields of an object. The outcome for a variable or shared node is stored, and returned when the walk
// meets the object again.
func (r *remaking) object(v abi.Any) abi.Any {
	t := r.types.Of(v.TypeIndex)
	kind, known := t.EqHashKind()
	variable := known && kind == abi.SEqHashFreeVar
	shared := known && kind == abi.SEqHashDAGNode
	if variable || shared {
		if mapped := r.get(v); mapped.TypeIndex != abi.IndexNone {
			return mapped
		}
	}
	region := *regionOf(r.mutator)
	if variable && region == RegionNone {
		return unchanged // the use of a variable that has no replacement
	}
	outcome := r.fields(t, v, variable)
	if failed(outcome) || !variable && !shared {
		return outcome
	}
	if shared || region == RegionPattern || outcome.TypeIndex != abi.IndexUnchanged {
		if set := r.set(v, outcome); failed(set) {
			graph.Release(outcome)
			return set
		}
	}
	return outcome
}

// fields mutates the fields of a shallow copy. The copy is the replacement if a field changed.
func (r *remaking) fields(t *graph.Type, v abi.Any, variable bool) abi.Any {
	copies := r.shallow.Value(v.TypeIndex)
	if copies.TypeIndex != abi.IndexFunction {
		return ErrorValue(fault.Type("__ffi_shallow_copy__ must be an ffi.Function"))
	}
	made := r.foreign(func() abi.Any {
		result, err := graph.Call(copies.Pointer(), v)
		if err != nil {
			return ErrorValue(err)
		}
		return result
	})
	if failed(made) {
		return made
	}
	if made.TypeIndex != v.TypeIndex || made == v {
		graph.Release(made)
		return ErrorValue(fault.Type("Shallow copy callback must return a distinct object with the same type as its input"))
	}
	at := regionOf(r.mutator)
	was := *at
	if variable {
		*at = was.inVariable()
	}
	changed, failure := r.setFields(t, made.Pointer())
	*at = was
	switch {
	case failed(failure):
		graph.Release(made)
		return failure
	case !changed:
		graph.Release(made)
		return unchanged
	}
	return made
}

// setFields mutates the fields of obj. failure is an Error, owned by the caller, or None.
func (r *remaking) setFields(t *graph.Type, obj unsafe.Pointer) (changed bool, failure abi.Any) {
	at := regionOf(r.mutator)
	region := *at
	for i := range t.Fields {
		f := &t.Fields[i]
		value, owned, err := f.Get(obj)
		if err != nil {
			return false, ErrorValue(err)
		}
		if !owned {
			graph.Retain(value)
		}
		*at = region.inField(f.Flags)
		outcome := r.enter(value, false)
		*at = region
		switch {
		case failed(outcome):
			graph.Release(value)
			return false, outcome
		case changes(outcome, value):
			if failure := r.setField(t, f, obj, outcome); failed(failure) {
				graph.Release(value)
				return false, failure
			}
			changed = true
		default:
			graph.Release(outcome)
		}
		graph.Release(value)
	}
	return changed, abi.None()
}

// setField stores a value, which it takes over. The outcome is None or an Error.
func (r *remaking) setField(t *graph.Type, f *graph.Field, obj unsafe.Pointer, value abi.Any) abi.Any {
	defer graph.Release(value)
	if f.Info.Setter == nil {
		return ErrorValue(fault.Type("Cannot structurally mutate field `%s` of type `%s` because it does not define a setter", f.Name(), t.Key()))
	}
	return r.foreign(func() abi.Any {
		if !plane.SetField(f.Info, obj, unsafe.Pointer(&value)) {
			return ErrorValue(fault.ErrRaised)
		}
		return abi.None()
	})
}

func (r *remaking) elements(v abi.Any, inPlace bool) abi.Any {
	if v.TypeIndex == abi.IndexArray || v.TypeIndex == abi.IndexList {
		return r.sequence(v, inPlace)
	}
	return r.mapping(v, inPlace)
}

// sequence mutates the elements of an Array or List.
func (r *remaking) sequence(v abi.Any, inPlace bool) abi.Any {
	obj := v.Pointer()
	var made []abi.Any // the elements of the replacement; nil until the first change
	for i := 0; ; i++ {
		items := abi.SeqOf(obj).Items() // again for each element: a callback may have changed a List
		if i >= len(items) {
			break
		}
		item := items[i]
		outcome := r.enter(item, inPlace)
		switch {
		case failed(outcome):
			graph.ReleaseAll(made)
			return outcome
		case !changes(outcome, item):
			graph.Release(outcome)
			if made != nil {
				made = append(made, graph.Retain(item))
			}
		case inPlace:
			if i < len(abi.SeqOf(obj).Items()) {
				graph.Containers.SetItem(obj, int64(i), outcome)
			} else {
				graph.Release(outcome)
			}
		default:
			if made == nil {
				made = make([]abi.Any, 0, len(items))
				for _, before := range items[:i] {
					made = append(made, graph.Retain(before))
				}
			}
			made = append(made, outcome)
		}
	}
	if made == nil {
		return unchanged
	}
	build := graph.NewArray
	if v.TypeIndex == abi.IndexList {
		build = graph.NewList
	}
	h, err := build(made)
	if err != nil {
		return ErrorValue(err)
	}
	return abi.ObjectValue(h)
}

// mapping mutates the values of a Map or Dict. It looks each up by its key, because callbacks may change a Dict.
func (r *remaking) mapping(v abi.Any, inPlace bool) abi.Any {
	obj := v.Pointer()
	target := obj // the replacement after the first change that is not in place
	keys := keysOf(obj)
	defer graph.ReleaseAll(keys)
	fail := func(failure abi.Any) abi.Any {
		if target != obj {
			plane.DecRef(target)
		}
		return failure
	}
	for i := range keys {
		pair, err := graph.Containers.Find(obj, &keys[i])
		if err != nil {
			return fail(ErrorValue(err))
		}
		if pair == nil {
			continue
		}
		value := pair.Value
		outcome := r.enter(value, inPlace)
		switch {
		case failed(outcome):
			return fail(outcome)
		case !changes(outcome, value):
			graph.Release(outcome)
			continue
		case !inPlace && target == obj:
			if target, err = graph.Containers.CopyMap(obj, v.TypeIndex); err != nil {
				target = obj
				graph.Release(outcome)
				return ErrorValue(err)
			}
		}
		if pair, err = graph.Containers.Find(target, &keys[i]); err != nil {
			graph.Release(outcome)
			return fail(ErrorValue(err))
		}
		if pair == nil {
			graph.Release(outcome)
			continue
		}
		old := pair.Value
		pair.Value = outcome
		graph.Release(old)
	}
	if target == obj {
		return unchanged
	}
	return abi.ObjectValue(target)
}

// keysOf returns the keys of a Map or Dict, each with a reference.
func keysOf(obj unsafe.Pointer) []abi.Any {
	c := container.MapOf(obj)
	keys := make([]abi.Any, 0, c.Size)
	for i := c.First(); i != container.NoBucket; i = c.Next(i) {
		keys = append(keys, graph.Retain(c.At(i).Key))
	}
	return keys
}
