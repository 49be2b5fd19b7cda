package wrapping

import (
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
	value   any // of a basic type
}

// identities leads from Go values to their objects, so that a Go pointer is one object as long as either side holds it. An entry
// owns a weak reference to the object, and lasts until the object has died and Go was told so.
var identities identityTable

type identityTable struct {
	mu    sync.Mutex
	boxes map[identity]*Box
	gates map[identity]weak.Pointer[Gate] // those that containers within the values share
}

// find returns an owned reference to the object of an identity, nil when there is none alive.
func (t *identityTable) find(key identity) unsafe.Pointer {
	t.mu.Lock()
	defer t.mu.Unlock()
	if b := t.boxes[key]; b != nil && abi.TryPromote(handles.Pointer(b.native)) {
		return handles.Pointer(b.native)
	}
	return nil
}

// TypeAlive returns the type of a Go value that an object stands for and that match is true for, nil for none.
func TypeAlive(match func(reflect.Type) bool) reflect.Type {
	identities.mu.Lock()
	defer identities.mu.Unlock()
	for _, b := range identities.boxes {
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
	if b := t.boxes[key]; b != nil {
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
	old := t.boxes[b.key]
	if old != nil && abi.TryPromote(handles.Pointer(old.native)) {
		t.mu.Unlock()
		return handles.Pointer(old.native)
	}
	if t.boxes == nil {
		t.boxes = map[identity]*Box{}
	}
	t.boxes[b.key] = b
	b.key.class.alive++
	b.native = uintptr(object)
	atomic.AddUint64(&(*abi.Object)(object).Counts, abi.WeakOne)
	dead := uintptr(0)
	if old != nil {
		dead, old.native = old.native, 0
		b.key.class.alive--
	}
	t.mu.Unlock()
	if dead != 0 {
		bridge.WeakDecRef(handles.Pointer(dead))
	}
	return nil
}

// Ended is called when the object of the box has died.
func (b *Box) Ended() {
	identities.mu.Lock()
	dead := b.native
	if b.native = 0; dead != 0 {
		delete(identities.boxes, b.key)
		b.key.class.alive--
	}
	identities.mu.Unlock()
	if dead != 0 {
		bridge.WeakDecRef(handles.Pointer(dead))
	}
}
