package recursive

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// DeepCopy copies a value (borrowed) and all objects that it refers to; the caller owns the copy. An object that is
// shared in the value, or part of a cycle, is so in the copy. Strings, bytes, Shapes, BigInts and members of enums are
// not copied: the copy refers to the same objects.
//
// Errors: InternalError (a class that cannot be copied), TypeError (a hook that returns another type), ValueError (nested
// too deep), MemoryError, and those of hooks and setters.
func DeepCopy(value *abi.Any) (abi.Any, error) {
	c := copier{hooks: graph.Column{Name: "__ffi_shallow_copy__"}}
	c.enum = plane.TypeAt(plane.TypeByKey("ffi.Enum")).Info()
	defer c.release()
	made, err := c.value(*value)
	if err == nil && c.deferred {
		err = c.fixUp()
	}
	if err != nil {
		graph.Release(made)
		return abi.Any{}, err
	}
	return made, nil
}

// copier is one walk.
type copier struct {
	graph.Walk
	hooks    graph.Column
	enum     *abi.TypeInfo
	copies   graph.Table      // the copies of objects that may be met again; 0 while an Array or Map is being copied
	mutables []unsafe.Pointer // copies that can be changed, owned
	deferred bool             // a copy contains the original of an Array or Map that was not copied yet
}

func (c *copier) release() {
	c.Release()
	for _, obj := range c.mutables {
		plane.DecRefFast(obj)
	}
}

// value returns an owned copy.
func (c *copier) value(v abi.Any) (abi.Any, error) {
	if !v.IsObject() {
		return v, nil
	}
	obj := v.Pointer()
	switch v.TypeIndex {
	case abi.IndexStr, abi.IndexBytes, abi.IndexShape, abi.IndexBigInt:
		return graph.Retain(v), nil
	}
	if word, ok := c.copies.Get(obj); ok {
		if word == 0 {
			c.deferred = true
			return graph.Retain(v), nil
		}
		return graph.Retain(abi.ObjectValue(graph.Pointer(word))), nil
	}
	if c.Pins.Depth() >= graph.MaxDepth {
		return abi.Any{}, graph.ErrDepth("DeepCopy")
	}
	c.Pins.Push(obj)
	defer c.Pins.Pop()
	switch v.TypeIndex {
	case abi.IndexArray:
		return c.array(obj)
	case abi.IndexMap:
		return c.immutableMap(obj)
	case abi.IndexList:
		return c.list(obj)
	case abi.IndexDict:
		return c.dict(obj)
	}
	return c.instance(v)
}

// remember stores the copy of an object that may be met again.
func (c *copier) remember(obj, made unsafe.Pointer) {
	if abi.StrongCount(obj) > 1 {
		if _, known := c.copies.Get(obj); !known {
			c.Kept.Keep(obj)
		}
		c.Kept.Keep(made)
		c.copies.Set(obj, uint64(uintptr(made)))
	}
}

// begin marks an Array or Map as being copied: a cycle may lead back to it before the copy exists.
func (c *copier) begin(obj unsafe.Pointer) {
	if abi.StrongCount(obj) > 1 {
		c.Kept.Keep(obj)
		c.copies.Set(obj, 0)
	}
}

// mutable adds a copy to those that fixUp may change.
func (c *copier) mutable(made unsafe.Pointer) {
	abi.IncRef(made)
	c.mutables = append(c.mutables, made)
}

// all copies values (borrowed).
func (c *copier) all(values []abi.Any) ([]abi.Any, error) {
	copies := make([]abi.Any, 0, len(values))
	for i := range values {
		made, err := c.value(values[i])
		if err != nil {
			graph.ReleaseAll(copies)
			return nil, err
		}
		copies = append(copies, made)
	}
	return copies, nil
}

func (c *copier) array(obj unsafe.Pointer) (abi.Any, error) {
	c.begin(obj)
	values, err := c.all(abi.SeqOf(obj).Items())
	if err != nil {
		return abi.Any{}, err
	}
	made, err := graph.NewArray(values)
	if err != nil {
		return abi.Any{}, err
	}
	c.remember(obj, made)
	return abi.ObjectValue(made), nil
}

// items returns the keys and values of a Map or Dict in turn, with a reference to each.
func items(obj unsafe.Pointer) []abi.Any {
	cell := container.MapOf(obj)
	out := make([]abi.Any, 0, 2*cell.Size)
	for i := cell.First(); i != container.NoBucket; i = cell.Next(i) {
		p := cell.At(i)
		out = append(out, graph.Retain(p.Key), graph.Retain(p.Value))
	}
	return out
}

func (c *copier) immutableMap(obj unsafe.Pointer) (abi.Any, error) {
	c.begin(obj)
	originals := items(obj)
	defer graph.ReleaseAll(originals)
	values, err := c.all(originals)
	if err != nil {
		return abi.Any{}, err
	}
	made, err := graph.NewMap(abi.IndexMap, values)
	if err != nil {
		return abi.Any{}, err
	}
	c.remember(obj, made)
	return abi.ObjectValue(made), nil
}

// list stores the copy before it has elements, because a List can contain itself.
func (c *copier) list(obj unsafe.Pointer) (abi.Any, error) {
	made, err := graph.NewList(nil)
	if err != nil {
		return abi.Any{}, err
	}
	c.remember(obj, made)
	c.mutable(made)
	for i := 0; i < len(abi.SeqOf(obj).Items()); i++ {
		var value abi.Any
		value, err = c.value(abi.SeqOf(obj).Items()[i])
		if err == nil {
			err = graph.Containers.Append(made, value)
		}
		if err != nil {
			plane.DecRef(made)
			return abi.Any{}, err
		}
	}
	return abi.ObjectValue(made), nil
}

func (c *copier) dict(obj unsafe.Pointer) (abi.Any, error) {
	made, err := graph.NewMap(abi.IndexDict, nil)
	if err != nil {
		return abi.Any{}, err
	}
	c.remember(obj, made)
	c.mutable(made)
	originals := items(obj)
	defer graph.ReleaseAll(originals)
	for i := 0; i < len(originals); i += 2 {
		var pair []abi.Any
		pair, err = c.all(originals[i : i+2])
		if err == nil {
			err = graph.Containers.Set(made, pair[0], pair[1])
		}
		if err != nil {
			plane.DecRef(made)
			return abi.Any{}, err
		}
	}
	return abi.ObjectValue(made), nil
}

// instance makes a shallow copy of an object of a class, and then copies its fields.
func (c *copier) instance(v abi.Any) (abi.Any, error) {
	obj := v.Pointer()
	t := c.Types.Of(v.TypeIndex)
	if t.Info.IsA(c.enum) {
		return graph.Retain(v), nil
	}
	hook, err := c.hooks.Function(v.TypeIndex)
	if err != nil {
		return abi.Any{}, err
	}
	if hook == nil {
		return abi.Any{}, fault.Internal("Check failed: (copy_fn.has_value()) is false: Cannot deep copy object of type \"%s\" because it is not copy-constructible", t.Key())
	}
	c.Pins.Pin()
	made, err := graph.Call(hook, v)
	if err != nil {
		return abi.Any{}, err
	}
	if made.TypeIndex != v.TypeIndex {
		defer graph.Release(made)
		return abi.Any{}, fault.Type("`__ffi_shallow_copy__` of type `%s` returned a value of type `%s`", t.Key(), graph.Key(&made))
	}
	c.remember(obj, made.Pointer())
	c.mutable(made.Pointer())
	values := make([]abi.Any, len(t.Fields))
	if err := t.Read(obj, values); err != nil {
		graph.Release(made)
		return abi.Any{}, err
	}
	if !t.Plain {
		defer graph.ReleaseAll(values)
	}
	for i := range values {
		if !values[i].IsObject() {
			continue
		}
		part, err := c.value(values[i])
		if err == nil {
			if part != values[i] {
				err = c.set(t.Fields[i].Info, made.Pointer(), &part)
			}
			graph.Release(part)
		}
		if err != nil {
			graph.Release(made)
			return abi.Any{}, err
		}
	}
	return made, nil
}

// set stores a value (borrowed) in a field.
func (c *copier) set(f *abi.FieldInfo, obj unsafe.Pointer, value *abi.Any) error {
	c.Pins.Pin()
	if !plane.SetField(f, obj, unsafe.Pointer(value)) {
		return fault.ErrRaised
	}
	return nil
}

// copyOf returns the copy that must replace an original; ok is false when v is not an original.
func (c *copier) copyOf(v abi.Any) (abi.Any, bool) {
	if !v.IsObject() {
		return v, false
	}
	word, ok := c.copies.Get(v.Pointer())
	if !ok || word == 0 || graph.Pointer(word) == v.Pointer() {
		return v, false
	}
	return abi.ObjectValue(graph.Pointer(word)), true
}

// fixUp replaces the originals of Arrays and Maps that copies contain: on a cycle, a List, Dict or object is copied before
// the Array or Map that it contains.
func (c *copier) fixUp() error {
	for _, obj := range c.mutables {
		var err error
		switch abi.TypeIndexOf(obj) {
		case abi.IndexList:
			for i, v := range abi.SeqOf(obj).Items() {
				if made, ok := c.copyOf(v); ok {
					graph.Containers.SetItem(obj, int64(i), graph.Retain(made))
				}
			}
		case abi.IndexDict:
			err = c.fixDict(obj)
		default:
			err = c.fixInstance(obj)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) fixDict(obj unsafe.Pointer) error {
	originals := items(obj)
	defer graph.ReleaseAll(originals)
	for i := 0; i < len(originals); i += 2 {
		key, changedKey := c.copyOf(originals[i])
		value, changedValue := c.copyOf(originals[i+1])
		if changedKey {
			if _, err := graph.Containers.Erase(obj, &originals[i]); err != nil {
				return err
			}
		}
		if changedKey || changedValue {
			if err := graph.Containers.Set(obj, graph.Retain(key), graph.Retain(value)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *copier) fixInstance(obj unsafe.Pointer) error {
	t := c.Types.Of(abi.TypeIndexOf(obj))
	for i := range t.Fields {
		v, owned, err := t.Fields[i].Get(obj)
		if err != nil {
			return err
		}
		if made, ok := c.copyOf(v); ok {
			err = c.set(t.Fields[i].Info, obj, &made)
		}
		if owned {
			graph.Release(v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
