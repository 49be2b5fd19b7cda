package selfsame

import "sync/atomic"

// Classes may name each other in fields and methods, in any order of registration, and what is told to the runtime of a
// field says the keys of the classes it names. So the last part of a class's registration waits for the classes it names,
// but not longer than until the first class is used.

// postponed is guarded by registering.
var postponed []*unfinished

var numPostponed atomic.Int32

type unfinished struct {
	needs  []*class
	finish func() error
}

func (u *unfinished) ready() bool {
	for _, c := range u.needs {
		if !c.registered() {
			return false
		}
	}
	return true
}

// postpone finishes a registration if it can be, and then those that waited for it. The caller holds registering.
func postpone(fields []*field, funcs []*methodClosure, finish func() error) error {
	mine := &unfinished{finish: finish}
	for _, f := range fields {
		if f.conv != nil {
			mine.needs = append(mine.needs, f.conv.classes...)
		}
	}
	for _, f := range funcs {
		mine.needs = append(mine.needs, f.closure.sig.classes()...)
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
			registrationFailed(failed)
		}
	}
	postponed = waiting
	numPostponed.Store(int32(len(postponed)))
	return err
}

// finishRegistrations finishes what still waits: a class that is not registered by now is an ffi.Object to others.
func finishRegistrations() {
	if numPostponed.Load() == 0 {
		return
	}
	registering.Lock()
	defer registering.Unlock()
	for _, u := range postponed {
		if err := u.finish(); err != nil {
			registrationFailed(err)
		}
	}
	postponed = nil
	numPostponed.Store(0)
}
