package handles

import (
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// entry leads from a native object to its State. It serves one object from the first fetch until the State that was made
// last is gone. All that time some State owns a reference, so the object's address and tie record stay valid.
type entry struct {
	mu      sync.Mutex
	object  uintptr               // 0: unused; guarded by mu
	number  uint64                // of the State it serves; one more for each new State; guarded by mu
	strong  atomic.Pointer[State] // the State while it is in the young list; set under mu, or by the owner of a popped entry (freelist.go)
	weak    weak.Pointer[State]   // the State when it is weakened; guarded by mu
	isYoung atomic.Bool           // whether young.entries has it; set under young.mu
	weight  uint32                // what native.weight counts for it; guarded by mu
	index   uint64                // in the tie record's go word; 0: found through the fallback map; never changes
	next    *entry                // in handleTable.unused
	listed  bool                  // whether young.weakened has it; guarded by young.weakening
	below   atomic.Uint64         // index of the entry below on the free list of its object
}

// currentLocked returns the State that the entry serves. That State may be released. It returns nil when there is none,
// or when the garbage collector has found it unreachable. The caller must hold e.mu.
func (e *entry) currentLocked() *State {
	if s := e.strong.Load(); s != nil {
		return s
	}
	return e.weak.Value()
}

// freeLocked makes the entry unused. The caller holds e.mu and owns a reference to the object.
func (e *entry) freeLocked() {
	table.forget(Pointer(e.object), e)
	e.unweighLocked()
	e.object = 0
	e.strong.Store(nil)
	e.weak = weak.Pointer[State]{}
	table.free(e) // last: from here on another object's State may take the entry, once the caller unlocks it
}

const (
	indexBits = 32
	indexMask = 1<<indexBits - 1
	chunkBits = 8
	chunkSize = 1 << chunkBits
)

// table is the handle table of this Go frontend. One process may hold several, each with an owner number.
//
// An entry's lock is taken before the table's. The one exception is an entry that handleTable.unused has: its lock may be
// taken under the table's, because its last owner put it there last and waits for nothing.
var table handleTable

type handleTable struct {
	once  sync.Once
	ties  *bridge.TieTable // nil: every entry is found through the fallback map
	owner uint64           // upper part of the go words: in 16 bits the library's number, in 16 bits that of forks

	chunks directory[[chunkSize]entry]

	mu            sync.Mutex
	used          uint64             // entries of chunks that were ever used; guarded by mu
	unused        *entry             // guarded by mu
	fallback      map[uintptr]*entry // objects whose record another frontend uses, or that could not get one; guarded by mu
	fallbackCount atomic.Int64       // entries of fallback, raised under mu: when it is 0, a look there is needless
}

// join finds the process's tie table, once.
func (t *handleTable) join() {
	t.once.Do(func() {
		t.fallback = map[uintptr]*entry{}
		WatchCollections()
		ties, failed := bridge.JoinTieTable()
		if ties == nil {
			DecRef(failed)
			return
		}
		if t.owner = ties.Owner(); t.owner != 0 {
			t.ties = ties
		}
		ties.AddCollector(&native.kept, &native.settled)
		processTies.Store(ties)
	})
}

// processTies is the process's tie table, once a handle was made.
var processTies atomic.Pointer[bridge.TieTable]

// goWord returns the Go handle id of an entry: what the tie record of its object says.
func (t *handleTable) goWord(e *entry) uint64 { return t.owner<<indexBits | e.index }

// findEntry returns an object's entry, nil if it has none. It takes no lock unless some object is in the fallback map.
func findEntry(object unsafe.Pointer) *entry {
	table.join()
	if table.ties != nil {
		if record := table.ties.Find(object); record != nil {
			if word := atomic.LoadUint64(&record.Go); word>>indexBits == table.owner {
				return table.at(word & indexMask)
			}
		}
		if table.fallbackCount.Load() == 0 {
			return nil
		}
	}
	table.mu.Lock()
	defer table.mu.Unlock()
	return table.fallback[uintptr(object)]
}

// Allocator makes the native objects of one class.
type Allocator struct {
	Layout   *bridge.Layout // nil for classes made elsewhere
	freeList atomic.Pointer[freeList]
}

// New makes an object and its State in one step, before any other code knows the object. It calls C once, and not at all
// for an object from the free list. failed is an Error, of which the caller gets the reference.
func (a *Allocator) New() (s *State, failed unsafe.Pointer) {
	list := a.freeList.Load()
	if list != nil {
		if s := list.take(); s != nil {
			return s, nil
		}
	}
	table.join()
	if list == nil {
		list = a.makeFreeList()
	}
	var e *entry
	var word uint64
	if table.ties != nil {
		table.mu.Lock()
		if e = table.takeLocked(); e != nil {
			word = table.goWord(e)
		}
		table.mu.Unlock()
	}
	object, failed := a.Layout.New(table.ties, word)
	tied := e != nil && object != nil && table.ties.Serves(object, word)
	if e != nil && !tied {
		table.free(e)
	}
	switch {
	case object == nil:
		return nil, failed
	case !tied: // no memory for a record, or no table
		return FetchOwned(object), nil
	}
	e.mu.Lock()
	e.object = uintptr(object)
	s = e.makeLocked(object, true)
	e.weighLocked()
	e.setStrongLocked(s)
	if list.accepts(object, e) {
		s.freeList = list
	}
	e.mu.Unlock()
	slowDown()
	return s, nil
}

// installEntry makes an entry for an object, or finds the one that another goroutine has just made. It holds table.mu
// throughout, so that an object never gets both an entry in its record and one in the fallback map.
func installEntry(object unsafe.Pointer) *entry {
	var record *bridge.TieRecord
	if table.ties != nil {
		if record = table.ties.Find(object); record == nil { // a Find calls no C
			record = table.ties.Acquire(object)
		}
	}
	table.mu.Lock()
	defer table.mu.Unlock()
	if e, ok := table.fallback[uintptr(object)]; ok {
		return e
	}
	if record != nil {
		switch word := atomic.LoadUint64(&record.Go); {
		case word>>indexBits == table.owner:
			return table.at(word & indexMask)
		case word == 0 || word>>48 == table.owner>>16: // no entry, or one of this library's Go before a fork
			if e := table.takeLocked(); e != nil {
				// A goroutine that reads the index from the record waits for e.mu until e.object is set. And one that
				// read the index earlier, for another object, never finds e.object set for a record that was not won.
				e.mu.Lock()
				won := atomic.CompareAndSwapUint64(&record.Go, word, table.goWord(e))
				if won {
					e.object = uintptr(object)
				}
				e.mu.Unlock()
				if won {
					return e
				}
				e.next, table.unused = table.unused, e // another frontend took the record
			}
		}
	}
	e := &entry{object: uintptr(object)}
	table.fallback[uintptr(object)] = e
	table.fallbackCount.Add(1)
	return e
}

func (t *handleTable) at(index uint64) *entry {
	return &t.chunks.at(index >> chunkBits)[index&(chunkSize-1)]
}

// takeLocked returns an unused entry, nil when the table is full. The caller holds t.mu and owns the entry.
func (t *handleTable) takeLocked() *entry {
	if e := t.unused; e != nil {
		t.unused = e.next
		e.next = nil
		return e
	}
	if t.used+1 >= directorySize*chunkSize {
		return nil
	}
	t.used++ // entry 0 is never used: the go word 0 means none
	t.chunks.make(t.used >> chunkBits)
	e := t.at(t.used)
	e.index = t.used
	return e
}

// free gives an entry back to the table; one of the fallback map is left to the garbage collector.
func (t *handleTable) free(e *entry) {
	if e.index == 0 {
		return
	}
	t.mu.Lock()
	e.next = t.unused
	t.unused = e
	t.mu.Unlock()
}

// forget makes findEntry no longer find the entry. The caller holds e.mu and owns a reference to the object.
func (t *handleTable) forget(object unsafe.Pointer, e *entry) {
	if e.index != 0 {
		if record := t.ties.Find(object); record != nil {
			atomic.CompareAndSwapUint64(&record.Go, t.goWord(e), 0)
		}
		return
	}
	t.mu.Lock()
	if t.fallback[uintptr(object)] == e {
		delete(t.fallback, uintptr(object))
		t.fallbackCount.Add(-1)
	}
	t.mu.Unlock()
}

// all calls f, without a lock, for every entry that was ever used.
func (t *handleTable) all(f func(*entry)) {
	t.mu.Lock()
	used := t.used
	others := make([]*entry, 0, len(t.fallback))
	for _, e := range t.fallback {
		others = append(others, e)
	}
	t.mu.Unlock()
	for index := uint64(1); index <= used; index++ {
		f(t.at(index))
	}
	for _, e := range others {
		f(e)
	}
}
