package registry

import (
	"sync/atomic"

	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Fields and methods of classes may refer to each other's classes, which may be registered in any order. The runtime is told
// the type keys of those classes with each field. So the last step of a class's registration waits until the classes that it
// refers to are registered, at the latest until the first use of any class. Type index and layout exist at once.

// postponed has the registrations that wait. A caller that uses it must hold registering. numPostponed is its length, which
// any goroutine may read without the lock.
var postponed []*unfinished

var numPostponed atomic.Int32

// unfinished is the last step of a class's registration.
type unfinished struct {
	needs  []*typetable.Class
	finish func() error
}

func (u *unfinished) ready() bool {
	for _, c := range u.needs {
		if !c.Registered() {
			return false
		}
	}
	return true
}

// postpone calls finish if the classes of the fields and funcs are registered, and queues it otherwise. Then it finishes the
// queued registrations that have become ready. The caller must hold registering.
func postpone(fields []*field, funcs []*methodClosure, finish func() error) error {
	mine := &unfinished{finish: finish}
	for _, f := range fields {
		if f.conv != nil {
			mine.needs = append(mine.needs, f.conv.Classes...)
		}
	}
	for _, f := range funcs {
		mine.needs = append(mine.needs, f.closure.Sig.Classes()...)
	}
	var err error
	if mine.ready() {
		err = finish()
	} else {
		postponed = append(postponed, mine)
	}
	waiting := postponed[:0]
	for _, u := range postponed {
		if !u.ready() {
			waiting = append(waiting, u)
		} else if failed := u.finish(); failed != nil {
			link.Failed(failed)
		}
	}
	postponed = waiting
	numPostponed.Store(int32(len(postponed)))
	return err
}

// FinishRegistrations finishes the registrations that still wait; the runtime is told ffi.Object for classes that are not
// registered. It takes registering.
func FinishRegistrations() {
	if numPostponed.Load() == 0 {
		return
	}
	registering.Lock()
	defer registering.Unlock()
	for _, u := range postponed {
		if err := u.finish(); err != nil {
			link.Failed(err)
		}
	}
	postponed = nil
	numPostponed.Store(0)
}
