package call

import (
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// The registrations of an extension run again in a forked child, in a new Go (docs/threads-fork-signals.md). Everything that the Go
// before has registered exists there: the log in C memory names it, and says which Go func it leads to. A registration
// in the child then registers nothing; it binds the new Go func to the id of the old one, so that Functions from before
// the fork call it.
//
// Why a forked child registers nothing twice. The copy of a Go package runs its package variables and init functions
// again. Names alone cannot tell what is registered already: a name may belong to a function of the user's by now, and
// Functions from before the fork must find the new Go. So the C code of the original logs each registration with the
// number by which its Function knows the Go func. The new Go binds its func to that number and registers nothing.
// Entries under one name are taken in order, as init functions run in one order. An entry is written before the
// registration and marked afterwards, because another thread may fork in the middle; the new Go then asks the runtime.
// A Go func that was made at run time has no successor; calling it is an error that names it.
//
// The start of the runtime in a copy gives the closures of its builtin functions the same numbers, and skips all
// registrations, so that what the user replaced or removed stays so. The number of the parent's Go stays in the tie
// records, because removing it would copy the pages of all records: a library keeps its number and counts its forks in
// the same word.

// loggedKey is what a registration is found by.
type loggedKey struct {
	kind  bridge.LoggedKind
	index int32 // the type index, -1 for a class and a function
	name  string
}

// inherited has the log's entries from before the fork that no registration of this Go has taken over, the oldest first.
var inherited struct {
	sync.Mutex
	entries map[loggedKey][]*bridge.Logged
}

// lastInherited is the log's last entry from before the fork, nil in a process that loaded the extension itself.
var lastInherited = func() *bridge.Logged {
	if bridge.Generation == 0 {
		return nil
	}
	return bridge.LastLogged()
}()

// TakeInherited returns the oldest entry from before the fork, nil when there is none or it was taken. A registration that
// failed is none.
func TakeInherited(kind bridge.LoggedKind, index int32, name string) *bridge.Logged {
	if lastInherited == nil {
		return nil
	}
	inherited.Lock()
	defer inherited.Unlock()
	if inherited.entries == nil {
		inherited.entries = readInherited()
	}
	key := loggedKey{kind, index, name}
	left := inherited.entries[key]
	if len(left) == 0 {
		return nil
	}
	inherited.entries[key] = left[1:]
	return left[0]
}

func readInherited() map[loggedKey][]*bridge.Logged {
	var all []*bridge.Logged
	for l := lastInherited; l != nil; l = l.Before() {
		all = append(all, l)
	}
	entries := map[loggedKey][]*bridge.Logged{}
	for i := len(all) - 1; i >= 0; i-- {
		l := all[i]
		if !l.IsDone() && !l.IsBegun() {
			continue
		}
		key := loggedKey{l.Kind(), l.TypeIndex(), l.Name()}
		if key.kind == bridge.LoggedClass {
			key.index = -1
		}
		entries[key] = append(entries[key], l)
	}
	return entries
}

// exists reports whether the runtime has what an entry describes: the parent may have forked on another thread just before
// or just after it registered that.
func exists(l *bridge.Logged) bool {
	return l.IsDone() || IsRegistered(l.Kind(), l.TypeIndex(), l.Name())
}

// IsRegistered reports whether the runtime has a registration.
func IsRegistered(kind bridge.LoggedKind, index int32, name string) bool {
	switch kind {
	case bridge.LoggedFunction:
		object, failed := bridge.GetGlobal(name)
		handles.DecRef(failed)
		handles.DecRef(object)
		return object != nil
	case bridge.LoggedMethod:
		for i := range bridge.TypeInfo(index).OwnMethods() {
			if bridge.TypeInfo(index).OwnMethods()[i].Name.String() == name {
				return true
			}
		}
	case bridge.LoggedField:
		for i := range bridge.TypeInfo(index).OwnFields() {
			if bridge.TypeInfo(index).OwnFields()[i].Name.String() == name {
				return true
			}
		}
	case bridge.LoggedMetadata:
		return bridge.TypeInfo(index).Metadata != nil
	case bridge.LoggedAttr:
		return bridge.TypeAttr(index, name).TypeIndex != abi.IndexNone
	case bridge.LoggedInit:
		return bridge.TypeAttr(index, typetable.InitName).TypeIndex != abi.IndexNone
	}
	return false
}

// RegisterOnce calls register with a new Function of the closure, and logs it. It does not register again what was
// registered before a fork: the Functions of that registration then call the closure. c may be nil; function is nil
// then.
func RegisterOnce(kind bridge.LoggedKind, index int32, name string, c *Closure, register func(function unsafe.Pointer) error) error {
	if l := TakeInherited(kind, index, name); l != nil && exists(l) {
		if c != nil && l.ID() != 0 {
			handles.Bind(l.ID(), c)
		}
		return nil
	}
	return RegisterNew(kind, index, name, c, register)
}

// RegisterNew does RegisterOnce's work for a registration that was not there before a fork.
func RegisterNew(kind bridge.LoggedKind, index int32, name string, c *Closure, register func(function unsafe.Pointer) error) error {
	var function unsafe.Pointer
	var id uint64
	if c != nil {
		var err error
		if function, id, err = c.numberedFunction(); err != nil {
			return err
		}
		defer handles.DecRef(function)
	}
	l := bridge.Log(kind, index, name, id)
	if l == nil {
		return fault.New("MemoryError", "selfsame: no memory to register `%s`", name)
	}
	if err := register(function); err != nil {
		l.Fail()
		return err
	}
	l.Done()
	return nil
}

// nameOfInherited returns what a Go func from before the fork was registered as; "" when it was not.
func nameOfInherited(id uint64) string {
	for l := lastInherited; l != nil; l = l.Before() {
		if l.ID() != id {
			continue
		}
		if l.TypeIndex() >= 0 {
			return bridge.TypeInfo(l.TypeIndex()).Key.String() + "." + l.Name()
		}
		return l.Name()
	}
	return ""
}

// IsLogged reports whether this library has made a registration.
func IsLogged(kind bridge.LoggedKind, index int32, name string) bool {
	for l := bridge.LastLogged(); l != nil; l = l.Before() {
		if l.Kind() == kind && l.IsDone() && l.TypeIndex() == index && l.Name() == name {
			return true
		}
	}
	return false
}
