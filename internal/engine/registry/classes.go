package registry

import (
	"cmp"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/sourcetext"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// registering admits one registration of a class at a time, as the C ABI requires. Only class.register locks it.
var registering sync.Mutex

// Registration registers a class.
type Registration struct{ *typetable.Class }

// CheckClass makes the checks that need no field: the key, the struct and its parent class.
func CheckClass(key string, t reflect.Type) error {
	for part := range strings.SplitSeq(key, ".") {
		if !naming.IsIdentifier(part) {
			return fault.New("ValueError", "selfsame: Register: argument 'key': expected names joined by dots, got `%s`", key)
		}
	}
	if t == typetable.ObjectType || !typetable.IsClassStruct(t) {
		return fault.New("TypeError", "selfsame: Register: expected a class struct, got %s; embed selfsame.Object or another class "+
			"as its first field", t)
	}
	if err := link.Bound(); err != nil {
		return err
	}
	parent := typetable.Of(t.Field(0).Type)
	if err := (Registration{parent}).findParent(); err != nil {
		return err
	}
	if !parent.Registered() {
		return fault.New("RuntimeError", "selfsame: Register: %s embeds %s, which is not registered; register it first",
			t, parent.GoType)
	}
	if parent.Final {
		return fault.New("TypeError", "selfsame: Register: %s embeds %s, whose class `%s` is final",
			t, parent.GoType, parent.TypeKey())
	}
	return nil
}

// Register makes every check first and then registers with the runtime, which cannot undo it. It locks registering.
func (c Registration) Register(key string, wrap func(*handles.State) any, o *ClassOptions) (err error) {
	registering.Lock()
	defer registering.Unlock()
	if c.Joins != nil && c.TypeKeyIfAny() == "" {
		return c.join(key, wrap, o)
	}
	if c.Registered() || c.TypeKeyIfAny() != "" {
		return fault.New("RuntimeError", "selfsame: Register: %s is already registered, as `%s`", c.GoType, c.TypeKey())
	}
	c.extend(o)
	fields, err := ownFields(c.GoType)
	if err != nil {
		return err
	}
	c.SetKey(key) // from here on messages and schemas use the key
	taken := false
	defer func() {
		if err != nil && !taken {
			c.SetKey("")
		}
	}()
	for _, f := range fields {
		if err := f.readDefault(key + "." + f.goName); err != nil {
			return err
		}
	}
	if err := c.checkNames(fields, o); err != nil {
		return err
	}
	funcs, err := c.methodClosures(key, o)
	if err != nil {
		return err
	}
	c.Methods = map[string]bool{}
	for _, f := range funcs {
		c.Methods[f.Name] = true
	}
	hooks, err := c.prepareHooks(key, append(o.Hooks, c.operatorHooks(o)...))
	if err != nil {
		return err
	}
	drops, err := c.dropFuncs(key, o.OnDrop)
	if err != nil {
		return err
	}
	c.Held = heldIn(c.Parent, fields)
	c.Lost = c.Parent.Lost
	for _, f := range fields {
		c.Lost = cmp.Or(c.Lost, f.lost)
	}
	refusal, err := c.refuseLoss(key, hooks)
	if err != nil {
		return err
	}
	hooks = append(hooks, refusal...)
	c.Wrap = wrap
	c.Final = o.Final
	c.Drops = drops
	c.Fields = map[string]bool{}
	for _, f := range fields {
		if f.name != "" {
			c.Fields[f.name] = true
		}
	}
	depth := c.Parent.Native.Depth() + 1
	index, layout, err := c.typeAndLayout(key, depth, fields, c.described(funcs, hooks, o))
	taken = index >= 0
	if err != nil {
		return err
	}
	c.Objects.Layout = layout
	c.Native.SetRegistered(key, depth, index)
	c.Publish(index)
	return postpone(fields, funcs, func() error { return c.finish(index, fields, funcs, hooks, o) })
}

// typeAndLayout registers the type key and makes the layout of its objects, or finds those of before a fork. index is -1
// when the type key was not registered.
func (c Registration) typeAndLayout(key string, depth int32, fields []*field, described string) (index int32, layout *bridge.Layout, err error) {
	c.Owned = append([]bridge.OwnedField{}, c.Parent.Owned...)
	for _, f := range fields {
		if owned, ok := f.owns(0); ok {
			c.Owned = append(c.Owned, owned)
		}
	}
	before := call.TakeInherited(bridge.LoggedClass, -1, key)
	if before != nil && before.IsDone() {
		return before.TypeIndex(), before.Layout(), c.claim(key, before.TypeIndex(), described)
	}
	l := bridge.Log(bridge.LoggedClass, -1, key, 0)
	if l == nil {
		return -1, nil, fault.New("MemoryError", "selfsame: Register: no memory for class `%s`", key)
	}
	if index, err = c.takeKey(key, described, depth, before != nil); err != nil {
		l.Fail()
		return -1, nil, err
	}
	if layout, err = c.makeLayout(index, fields); err != nil {
		l.Fail()
		return index, nil, err
	}
	l.SetClass(index, layout)
	l.Done()
	return index, layout, nil
}

// takeKey returns the type index of the key, which it registers or adopts. interrupted: a fork on another thread may have
// interrupted the registration of the key.
func (c Registration) takeKey(key, described string, depth int32, interrupted bool) (int32, error) {
	bridge.LockRegistrations()
	defer bridge.UnlockRegistrations()
	index := bridge.TypeIndex(key)
	switch {
	case index < 0:
		var failed unsafe.Pointer
		if index, failed = bridge.RegisterType(key, depth, c.Parent.Native.Index(), c.Final); failed != nil {
			return -1, fault.Take(failed)
		}
	case !interrupted:
		return index, c.adopt(key, index, described)
	}
	return index, c.claim(key, index, described)
}

// finish registers the fields, methods and type attributes of a class that has its type index.
func (c Registration) finish(index int32, fields []*field, funcs []*methodClosure, hooks []*preparedHook, o *ClassOptions) error {
	if err := c.registerFields(index, fields); err != nil {
		return err
	}
	err := c.registerPart(bridge.LoggedMetadata, index, "", nil, func(unsafe.Pointer) error {
		return fault.Take(bridge.RegisterMetadata(index, cmp.Or(o.Doc, sourcetext.TypeComment(c.GoType, "")), c.GoType.Size(), c.Objects.Layout, c.structuralKind(o)))
	})
	if err != nil {
		return err
	}
	for _, f := range funcs {
		if err := f.register(c, index); err != nil {
			return err
		}
	}
	for _, h := range hooks {
		if err := h.register(c, index); err != nil {
			return err
		}
	}
	if !o.AutoInit {
		return nil
	}
	return c.registerPart(bridge.LoggedInit, index, "", nil, func(unsafe.Pointer) error {
		make, err := values.GlobalFunction("ffi._RegisterFFIInit")
		if err == nil {
			var made abi.Any
			made, err = values.CallValues(make, []abi.Any{abi.Int(int64(index))})
			values.Release(made)
		}
		return err
	})
}

// register sets the type attribute.
func (h *preparedHook) register(c Registration, index int32) error {
	defer values.Release(h.value)
	return c.registerPart(bridge.LoggedAttr, index, h.name, h.closure, func(function unsafe.Pointer) error {
		value := h.value
		if function != nil {
			value = abi.ObjectValue(function)
		}
		return fault.Take(bridge.RegisterAttr(index, h.name, value))
	})
}

// checkNames refuses a name that two fields, or a field and a method, share; inherited fields count.
func (c Registration) checkNames(fields []*field, o *ClassOptions) error {
	taken := map[string]string{}
	for p := c.Parent; p != nil; p = p.Parent {
		for name := range p.Fields {
			taken[name] = p.Key
		}
	}
	for _, f := range fields {
		if f.name == "" {
			continue
		}
		if by, ok := taken[f.name]; ok {
			return fault.New("TypeError", "selfsame: Register: field %s.%s: the name `%s` is taken by %s",
				c.GoType, f.goName, f.name, by)
		}
		taken[f.name] = c.GoType.String()
	}
	for _, m := range o.Methods {
		m.Name = naming.Normal(m.Name)
		if !naming.IsIdentifier(m.Name) {
			return fault.New("ValueError", "selfsame: Method: argument 'name': expected an identifier, got `%s` (class %s)",
				m.Name, c.GoType)
		}
		if by, ok := taken[m.Name]; ok {
			return fault.New("TypeError", "selfsame: Method: `%s` of %s: the name is taken by %s", m.Name, c.GoType, by)
		}
		taken[m.Name] = c.GoType.String()
	}
	return nil
}

// makeLayout makes the prototype of new objects and the table of their owned fields. The inherited part is copied from the
// parent's prototype.
func (c Registration) makeLayout(index int32, fields []*field) (*bridge.Layout, error) {
	layout := bridge.NewLayout(index, c.GoType.Size(), uintptr(c.GoType.Align()), c.Owned, len(c.Drops) > 0)
	if layout == nil {
		return nil, fault.New("MemoryError", "selfsame: Register: no memory for class `%s`", c.Key)
	}
	prototype := layout.Prototype()
	inherit(prototype, c.Parent)
	for _, f := range fields {
		v, err := f.initialValue()
		if err != nil {
			return nil, err
		}
		if err := f.storeInitial(prototype, v); err != nil {
			return nil, err
		}
	}
	return layout, nil
}

// inherit copies the memory of a new object of the parent behind its header, and takes a reference to each object that it owns.
// ffi.Object and the classes of BuiltinStructs have none to copy.
func inherit(prototype unsafe.Pointer, parent *typetable.Class) {
	memory := parent.Defaults
	if layout := parent.Objects.Layout; layout != nil {
		memory = unsafe.Slice((*byte)(layout.Prototype()), layout.Size())
	}
	if memory == nil {
		return
	}
	copy(unsafe.Slice((*byte)(prototype), len(memory))[abi.BodyOffset:], memory[abi.BodyOffset:])
	retain(prototype, parent.Owned)
}

// retain takes a reference to each object that memory owns.
func retain(memory unsafe.Pointer, owned []bridge.OwnedField) {
	for _, field := range owned {
		at := unsafe.Add(memory, field.Offset)
		if field.Size == UnsafeSizeofAny {
			values.Retained(*(*abi.Any)(at))
		} else {
			values.IncRef(handles.Pointer(*(*uintptr)(at)))
		}
	}
}

func (c Registration) registerFields(index int32, fields []*field) error {
	for _, f := range fields {
		if f.name == "" {
			continue
		}
		err := c.registerPart(bridge.LoggedField, index, f.name, nil, func(unsafe.Pointer) error {
			return fault.Take(bridge.RegisterField(index, &bridge.Field{
				Name: f.name, Doc: f.doc, Metadata: call.FieldMetadata(f.conv.Schema()), Where: c.Key + "." + f.name,
				Flags: f.flags(), Size: f.size, Align: f.align, Offset: f.offset,
				Type: f.conv.Type(), Default: f.defaultValue, StaticTypeIndex: f.staticTypeIndex(),
			}))
		})
		if err != nil {
			return err
		}
	}
	return nil
}
