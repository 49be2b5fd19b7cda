package wrapping

import (
	"iter"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Why a wrapped Go pointer is found through a weak table. A Go type of another package cannot begin with Object, so its
// object is a second thing beside it: an object with a Wrapped that keeps the Go pointer (internal/engine/wrapping).
// The way back, from the pointer to the object, is a table with a weak reference to each object. With a strong one,
// neither the object nor the Go value could ever end: each would keep the other. So an object lives as long as another
// language or a handle holds it. What only Go holds gets a new object when it comes back. The entry goes when Go is
// told that the object has died; a look-up before that sees a count of zero and makes a new object.
//
// Conversions, not generated code, know such types. So they may stand anywhere in a signature: in slices, maps,
// callbacks and iterators.

// identity says for which Go value an object stands: a pointer, or a small value that is equal to itself. A zero identity stands
// for none.
type identity struct {
	class   *wrapping
	pointer uintptr
	number  uint64 // what the pointer is, where there is no value: see numberOf
	value   any    // of a basic type, or what else tells it apart
}

// identities leads from Go values to their objects, so that a Go pointer is one object as long as either side holds it. An entry
// owns a weak reference to the object, and lasts until the object has died and Go was told so.
var identities identityTable

type identityTable struct {
	mu       sync.Mutex
	pointers pointerTable                    // of identities without a value
	values   map[identity]*Box               // of the others
	gates    map[identity]weak.Pointer[Gate] // those that containers within the values share
	numGates atomic.Int64                    // how many gates has, set under mu: with none, a look there is needless
}

// box returns the box of an identity, nil for none. The caller holds t.mu.
func (t *identityTable) box(key identity) *Box {
	if key.value == nil {
		return t.pointers.get(pointerIdentity{key.pointer, key.number})
	}
	return t.values[key]
}

// setBox makes b, which has an object, the box of its identity. The caller holds t.mu.
func (t *identityTable) setBox(b *Box) {
	if b.key.value == nil {
		t.pointers.set(pointerIdentity{b.key.pointer, b.key.number}, b)
		return
	}
	if t.values == nil {
		t.values = map[identity]*Box{}
	}
	t.values[b.key] = b
}

// removeBox forgets the box of an identity. The caller holds t.mu.
func (t *identityTable) removeBox(key identity) {
	if key.value == nil {
		t.pointers.remove(pointerIdentity{key.pointer, key.number})
	} else {
		delete(t.values, key)
	}
}

// all returns the boxes of both maps. The caller holds t.mu.
func (t *identityTable) all() iter.Seq[*Box] {
	return func(yield func(*Box) bool) {
		for b := range t.pointers.all() {
			if !yield(b) {
				return
			}
		}
		for _, b := range t.values {
			if !yield(b) {
				return
			}
		}
	}
}

// find returns an owned reference to the object of an identity, nil when there is none alive.
func (t *identityTable) find(key identity) (object unsafe.Pointer) {
	t.mu.Lock()
	if b := t.box(key); b != nil && abi.TryPromote(handles.Pointer(b.native)) {
		object = handles.Pointer(b.native)
	}
	t.mu.Unlock()
	return object
}

// TypeAlive returns the type of a Go value that an object stands for and that match is true for, nil for none.
func TypeAlive(match func(reflect.Type) bool) reflect.Type {
	identities.mu.Lock()
	defer identities.mu.Unlock()
	for b := range identities.all() {
		if t := reflect.TypeOf(b.value); match(t) {
			return t
		}
	}
	return nil
}

// gateOf returns the gate of the object of an identity, nil when there is none.
func (t *identityTable) gateOf(key identity) *Gate {
	t.mu.Lock()
	defer t.mu.Unlock()
	if b := t.box(key); b != nil {
		return b.gate
	}
	return nil
}

// enter makes the object, to which the caller owns a reference, that of the box's identity, unless there is another one alive: it
// then returns an owned reference to that.
func (t *identityTable) enter(b *Box, object unsafe.Pointer) (other unsafe.Pointer) {
	if b.key.class == nil {
		return nil
	}
	t.mu.Lock()
	old := t.box(b.key)
	if old != nil && abi.TryPromote(handles.Pointer(old.native)) {
		t.mu.Unlock()
		return handles.Pointer(old.native)
	}
	dead := uintptr(0)
	if old != nil {
		dead, old.native = old.native, 0
		b.key.class.alive--
	}
	b.native = uintptr(object)
	t.setBox(b)
	b.key.class.alive++
	atomic.AddUint64(&(*abi.Object)(object).Counts, abi.WeakOne)
	t.mu.Unlock()
	if dead != 0 {
		bridge.WeakDecRef(handles.Pointer(dead))
	}
	return nil
}

// Ended returns the object of the box, which has died, where the caller must release a weak reference to it, else nil.
func (b *Box) Ended() (dead unsafe.Pointer) {
	identities.mu.Lock()
	if b.native != 0 {
		dead, b.native = handles.Pointer(b.native), 0
		identities.removeBox(b.key)
		b.key.class.alive--
	}
	identities.mu.Unlock()
	return dead
}
