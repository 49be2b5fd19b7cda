package selfsame

import (
	"cmp"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// registering admits one registration of a class at a time, as the C ABI requires. Only class.register locks it.
var registering sync.Mutex

// registration registers a class.
type registration struct{ *class }

// checkClass makes the checks that need no field: the key, the struct and its parent class.
func checkClass(key string, t reflect.Type) error {
	for part := range strings.SplitSeq(key, ".") {
		if !naming.IsIdentifier(part) {
			return newError("ValueError", "selfsame: Register: argument 'key': expected names joined by dots, got `%s`", key)
		}
	}
	if t == objectType || !isClassStruct(t) {
		return newError("TypeError", "selfsame: Register: expected a class struct, got %s; embed selfsame.Object or another class "+
			"as its first field", t)
	}
	if err := runtimeBound(); err != nil {
		return err
	}
	parent := classOf(t.Field(0).Type)
	if err := (registration{parent}).findBuiltin(); err != nil {
		return err
	}
	if !parent.registered() {
		return newError("RuntimeError", "selfsame: Register: %s embeds %s, which is not registered; register it first",
			t, parent.goType)
	}
	if parent.final {
		return newError("TypeError", "selfsame: Register: %s embeds %s, whose class `%s` is final",
			t, parent.goType, parent.typeKey())
	}
	return nil
}

// register makes every check first and then registers with the runtime, which cannot undo it. It locks registering.
func (c registration) register(key string, wrap func(*handles.State) any, o *classOptions) (err error) {
	registering.Lock()
	defer registering.Unlock()
	if c.registered() || c.typeKeyIfAny() != "" {
		return newError("RuntimeError", "selfsame: Register: %s is already registered, as `%s`", c.goType, c.typeKey())
	}
	fields, err := ownFields(c.goType)
	if err != nil {
		return err
	}
	c.setKey(key) // from here on messages and schemas use the key
	taken := false
	defer func() {
		if err != nil && !taken {
			c.setKey("")
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
	hooks, err := c.prepareHooks(key, append(o.hooks, o.operatorHooks()...))
	if err != nil {
		return err
	}
	drops, err := c.dropFuncs(key, o.onDrop)
	if err != nil {
		return err
	}
	c.lost = c.parent.lost
	for _, f := range fields {
		c.lost = cmp.Or(c.lost, f.lost)
	}
	refusal, err := c.refuseLoss(key, hooks)
	if err != nil {
		return err
	}
	hooks = append(hooks, refusal...)
	c.wrap = wrap
	c.final = o.final
	c.drops = drops
	c.fields = map[string]bool{}
	for _, f := range fields {
		if f.name != "" {
			c.fields[f.name] = true
		}
	}
	depth := c.parent.native.Depth() + 1
	index, layout, err := c.typeAndLayout(key, depth, fields, c.described(funcs, hooks, o))
	taken = index >= 0
	if err != nil {
		return err
	}
	c.objects.Layout = layout
	c.native.SetRegistered(key, depth, index)
	c.publish(index)
	return postpone(fields, funcs, func() error { return c.finish(index, fields, funcs, hooks, o) })
}

// typeAndLayout registers the type key and makes the layout of its objects, or finds those of before a fork. index is -1
// when the type key was not registered.
func (c registration) typeAndLayout(key string, depth int32, fields []*field, described string) (index int32, layout *bridge.Layout, err error) {
	c.owned = append([]bridge.OwnedField{}, c.parent.owned...)
	for _, f := range fields {
		if owned, ok := f.owns(0); ok {
			c.owned = append(c.owned, owned)
		}
	}
	before := takeInherited(bridge.LoggedClass, -1, key)
	if before != nil && before.IsDone() {
		return before.TypeIndex(), before.Layout(), c.claim(key, before.TypeIndex(), described)
	}
	l := bridge.Log(bridge.LoggedClass, -1, key, 0)
	if l == nil {
		return -1, nil, newError("MemoryError", "selfsame: Register: no memory for class `%s`", key)
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
func (c registration) takeKey(key, described string, depth int32, interrupted bool) (int32, error) {
	bridge.LockRegistrations()
	defer bridge.UnlockRegistrations()
	index := bridge.TypeIndex(key)
	switch {
	case index < 0:
		var failed unsafe.Pointer
		if index, failed = bridge.RegisterType(key, depth, c.parent.native.Index(), c.final); failed != nil {
			return -1, takeError(failed)
		}
	case !interrupted:
		return index, c.adopt(key, index, described)
	}
	return index, c.claim(key, index, described)
}

// finish registers the fields, methods and type attributes of a class that has its type index.
func (c registration) finish(index int32, fields []*field, funcs []*methodClosure, hooks []*preparedHook, o *classOptions) error {
	if err := c.registerFields(index, fields); err != nil {
		return err
	}
	err := c.registerPart(bridge.LoggedMetadata, index, "", nil, func(unsafe.Pointer) error {
		return takeError(bridge.RegisterMetadata(index, cmp.Or(o.doc, typeComment(c.goType, "")), c.goType.Size(), c.objects.Layout, c.structuralKind(o)))
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
	if !o.autoInit {
		return nil
	}
	return c.registerPart(bridge.LoggedInit, index, "", nil, func(unsafe.Pointer) error {
		make, err := globalFunction("ffi._RegisterFFIInit")
		if err == nil {
			var made abi.Any
			made, err = callValues(make, []abi.Any{abi.Int(int64(index))})
			releaseValue(made)
		}
		return err
	})
}

// register sets the type attribute.
func (h *preparedHook) register(c registration, index int32) error {
	defer releaseValue(h.value)
	return c.registerPart(bridge.LoggedAttr, index, h.name, h.closure, func(function unsafe.Pointer) error {
		value := h.value
		if function != nil {
			value = abi.ObjectValue(function)
		}
		return takeError(bridge.RegisterAttr(index, h.name, value))
	})
}

// checkNames refuses a name that two fields, or a field and a method, share; inherited fields count.
func (c registration) checkNames(fields []*field, o *classOptions) error {
	taken := map[string]string{}
	for p := c.parent; p != nil; p = p.parent {
		for name := range p.fields {
			taken[name] = p.key
		}
	}
	for _, f := range fields {
		if f.name == "" {
			continue
		}
		if by, ok := taken[f.name]; ok {
			return newError("TypeError", "selfsame: Register: field %s.%s: the name `%s` is taken by %s",
				c.goType, f.goName, f.name, by)
		}
		taken[f.name] = c.goType.String()
	}
	for _, m := range o.methods {
		if !naming.IsIdentifier(m.name) {
			return newError("ValueError", "selfsame: Method: argument 'name': expected an identifier, got `%s` (class %s)",
				m.name, c.goType)
		}
		if by, ok := taken[m.name]; ok {
			return newError("TypeError", "selfsame: Method: `%s` of %s: the name is taken by %s", m.name, c.goType, by)
		}
		taken[m.name] = c.goType.String()
	}
	return nil
}

// makeLayout makes the prototype of new objects and the table of their owned fields. The inherited part is copied from the
// parent's prototype.
func (c registration) makeLayout(index int32, fields []*field) (*bridge.Layout, error) {
	layout := bridge.NewLayout(index, c.goType.Size(), uintptr(c.goType.Align()), c.owned, len(c.drops) > 0)
	if layout == nil {
		return nil, newError("MemoryError", "selfsame: Register: no memory for class `%s`", c.key)
	}
	prototype := layout.Prototype()
	if c.parent.objects.Layout != nil {
		copyPrototype(prototype, c.parent)
	}
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

// copyPrototype copies the parent's prototype and takes a reference to each object in it.
func copyPrototype(prototype unsafe.Pointer, parent *class) {
	size := parent.goType.Size()
	copy(unsafe.Slice((*byte)(prototype), size), unsafe.Slice((*byte)(parent.objects.Layout.Prototype()), size))
	for _, owned := range parent.owned {
		at := unsafe.Add(prototype, owned.Offset)
		if owned.Size == unsafeSizeofAny {
			retained(*(*abi.Any)(at))
		} else {
			incRef(handles.Pointer(*(*uintptr)(at)))
		}
	}
}

func (c registration) registerFields(index int32, fields []*field) error {
	for _, f := range fields {
		if f.name == "" {
			continue
		}
		err := c.registerPart(bridge.LoggedField, index, f.name, nil, func(unsafe.Pointer) error {
			return takeError(bridge.RegisterField(index, &bridge.Field{
				Name: f.name, Doc: f.doc, Metadata: metadataOf(f.conv.schema(), nil), Where: c.key + "." + f.name,
				Flags: f.flags(), Size: f.size, Align: f.align, Offset: f.offset,
				Type: f.conv.typ(), Default: f.defaultValue, StaticTypeIndex: f.staticTypeIndex(),
			}))
		})
		if err != nil {
			return err
		}
	}
	return nil
}
