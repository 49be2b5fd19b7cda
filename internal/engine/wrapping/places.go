package wrapping

import (
	"reflect"
	"runtime"
	"unsafe"
	"weak"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Places are where a container that Python sees has its value, and where such a container has the structs that are its elements.
// What lies within a Go value has the gate of that value's object.

// Place tells the objects of one class apart that stand for values within other Go values.
type Place struct {
	Pointer uintptr // of the value, or of the one that it lies in
	Part    any     // comparable: what else tells it apart
	Number  uint64  // not 0: it says the same as Part
}

// FindAt returns an owned reference to the object of a class at a place, nil when there is none alive.
func FindAt(class *typetable.Class, at Place) unsafe.Pointer {
	w, _ := wrappings.Load(class)
	found, _ := w.(*wrapping)
	return identities.find(found.identityAt(at))
}

// ObjectAt returns an owned reference to the object of a class that stands for value at a place: the one that is alive, or a new one
// with the gate.
func ObjectAt(class *typetable.Class, at Place, value any, gate *Gate) (unsafe.Pointer, error) {
	found, ok := wrappings.Load(class)
	if !ok {
		return nil, fault.New("RuntimeError", "selfsame: no class stands for %T here", value)
	}
	w := found.(*wrapping)
	return w.objectOf(&Box{value: value, key: w.identityAt(at), gate: gate})
}

// InPlace makes the objects that stand for values of one type where they are.
type InPlace struct {
	w *wrapping
	t reflect.Type
}

// InPlaceOf returns how values of a type with a class are objects where they are, as the structs in a slice. It is nil where a copy is
// as good: for types without a class, for numbers and texts, and for structs that nobody can change.
func InPlaceOf(t reflect.Type) *InPlace {
	found, ok := wrappedTypes.Load(reflect.PointerTo(t))
	if !ok || isBasic(t.Kind()) || t.Kind() == reflect.Func || t.Kind() == reflect.Interface {
		return nil
	}
	w := found.(*wrapping)
	if w.element == nil || w.ByValue && !isOpen(t) {
		return nil
	}
	return &InPlace{w, t}
}

// isOpen says whether values of a type can be changed from outside of its package: all but structs without an exported field.
func isOpen(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return true
	}
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// At returns an owned reference to the object of the value at p, which has the gate of the value that it lies in.
func (i *InPlace) At(p unsafe.Pointer, gate *Gate) (unsafe.Pointer, error) {
	return i.w.objectOf(i.box(p, i.w.identityOf(p), gate))
}

// Copied does At's work for a value that Go has elsewhere, at a place: p is a copy, which copied loads and stores.
func (i *InPlace) Copied(p unsafe.Pointer, at Place, copied Copied, gate *Gate) (unsafe.Pointer, error) {
	b := i.box(p, i.w.identityAt(at), gate)
	b.copied = copied
	return i.w.objectOf(b)
}

func (i *InPlace) box(p unsafe.Pointer, key identity, gate *Gate) *Box {
	b := &Box{value: reflect.NewAt(i.t, p).Interface(), key: key}
	if !i.w.Shared {
		b.gate = gate
	}
	return b
}

// Move makes objects that stand for n values of a class's type stand for them elsewhere, when Go has given them other memory. from
// and to are the places of value i; ok is false for one that stays where it was. moved returns the new Go value of its box.
func Move(class *typetable.Class, n int, from func(i int) Place, to func(i int) (at Place, ok bool), moved func(value any, i int) any) {
	found, ok := wrappings.Load(class)
	if ok {
		identities.move(found.(*wrapping), n, from, to, moved)
	}
}

// Move does that for values in place, which lie at from(i) and to(i) then.
func (i *InPlace) Move(n int, from func(i int) unsafe.Pointer, to func(i int) unsafe.Pointer) {
	identities.move(i.w, n, func(k int) Place { return Place{Pointer: uintptr(from(k))} }, func(k int) (Place, bool) {
		p := to(k)
		return Place{Pointer: uintptr(p)}, p != nil
	}, func(_ any, k int) any { return reflect.NewAt(i.t, to(k)).Interface() })
}

func (t *identityTable) move(w *wrapping, n int, from func(i int) Place, to func(i int) (Place, bool), moved func(value any, i int) any) {
	var held []unsafe.Pointer // the objects, which may end when these references go
	defer func() {
		for _, object := range held {
			handles.DecRef(object)
		}
	}()
	t.mu.Lock()
	defer t.mu.Unlock() // before that
	if w.alive == 0 {
		return
	}
	known := map[int]*Box{}
	for i := range n {
		if b := t.box(w.identityAt(from(i))); b != nil {
			if at, ok := to(i); ok {
				t.removeBox(b.key)
				b.key, b.value = w.identityAt(at), moved(b.value, i)
				b.seen.Store(nil)
				if object := handles.Pointer(b.native); abi.TryPromote(object) { // else what it keeps may have ended
					held = append(held, object)
					w.show(object, b)
				}
				known[i] = b
			}
		}
	}
	for _, b := range known { // not before: a place may be that which another one has left
		t.setBox(b)
	}
}

func (w *wrapping) identityAt(at Place) identity {
	switch {
	case at.Number != 0:
		return identity{class: w, pointer: at.Pointer, number: at.Number}
	case at.Part != nil:
		return identity{class: w, pointer: at.Pointer, value: at.Part}
	}
	return identity{class: w, pointer: at.Pointer, number: w.number}
}

// identityOf returns the identity of a pointer to a value of the class.
func (w *wrapping) identityOf(p unsafe.Pointer) identity {
	return w.identityAt(Place{Pointer: uintptr(p)})
}

// GateWithin returns the gate of what lies within the value of the box: its own, or one that such things share. Later objects of the
// value have it too, as long as something has the gate.
func (b *Box) GateWithin() *Gate {
	if b.key.class == nil {
		return b.gate
	}
	return identities.gate(b.key, b.gate)
}

// GateAt returns the gate of what lies at an address outside of all objects, as a package variable does.
func GateAt(p uintptr) *Gate { return identities.gate(identity{pointer: p}, nil) }

// gateFor returns the gate for a new box: the one that things within its value have, else own.
func (t *identityTable) gateFor(key identity, own *Gate) *Gate {
	if t.numGates.Load() == 0 {
		return own
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if g := t.gates[key].Value(); g != nil {
		return g
	}
	return own
}

// gate returns the gate for what lies within the value of an identity: own, if it is not nil and there is none yet.
func (t *identityTable) gate(key identity, own *Gate) *Gate {
	t.mu.Lock()
	defer t.mu.Unlock()
	known := t.gates[key]
	if g := known.Value(); g != nil && (own == nil || own == g) {
		return g
	}
	if own == nil {
		own = new(Gate)
	}
	if t.gates == nil {
		t.gates = map[identity]weak.Pointer[Gate]{}
	}
	kept := weak.Make(own)
	t.gates[key] = kept
	t.numGates.Store(int64(len(t.gates)))
	runtime.AddCleanup(own, func(key identity) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.gates[key] == kept {
			delete(t.gates, key)
			t.numGates.Store(int64(len(t.gates)))
		}
	}, key)
	return own
}
