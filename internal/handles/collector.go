package handles

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// background does the work around garbage collections on one goroutine, which exists only while there is work.
var background collector

// work is what the goroutine is asked for.
type work uint8

const (
	weakenYoung     work = 1 << iota // the young list is full
	afterCollection                  // a collection has ended, perhaps one that this package did not start
	collectGrown                     // the native memory behind handles has grown
	collectIdle                      // the program has stopped using this package
)

const (
	// dueDelay is how long a collection that became due during a call waits for the end of the call, after which the
	// call's arguments can be found unreachable.
	dueDelay = 5 * time.Millisecond
	// maxWait is the longest time for which a goroutine waits for a collection. It is bounded because the goroutine may
	// hold a lock that the deleter of a collected object waits for.
	maxWait = time.Second
	// maxIdleRounds bounds the collections of one idle period: each may free objects that refer to others.
	maxIdleRounds = 4
)

type collector struct {
	isDue    atomic.Bool  // a collection is due: native.weight reached native.trigger
	dropping atomic.Int32 // goroutines that are dropping the references of collected States
	droppers sync.Map     // the threads of these goroutines, by id
	stopped  atomic.Bool  // Stop was called: collected States keep their references
	unpinned atomic.Int64 // bytes of Go's heap whose pins were taken back since the last collection was evaluated
	cost     atomic.Int64 // of the last collection, as a time.Duration
	rounds   atomic.Int64 // collections that this package has run

	collecting sync.Mutex // held from the start of a collection until its unreachable States are found

	mu      sync.Mutex
	wanted  work
	running bool          // the goroutine exists
	ended   chan struct{} // closed when the collection asked for has ended; nil: none was asked for

	seen atomic.Int64 // the number of Go's collections when the last one was evaluated
}

// ask has the goroutine do some work. The channel is closed at the end of the collection asked for; nil for other work.
func (c *collector) ask(w work) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wanted |= w
	if w&(collectGrown|collectIdle) != 0 && c.ended == nil {
		c.ended = make(chan struct{})
	}
	if !c.running {
		c.running = true
		go c.run()
	}
	return c.ended
}

// run works until nothing more is wanted.
func (c *collector) run() {
	for {
		c.mu.Lock()
		w := c.wanted
		c.wanted = 0
		if w == 0 {
			c.running = false
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		switch {
		case w&(collectGrown|collectIdle) != 0:
			if w&collectIdle != 0 {
				c.collectIdle()
			} else if stillDue() {
				c.round()
			}
			c.end()
		case w&afterCollection != 0:
			c.evaluateNatural()
		default:
			young.weakenAll()
		}
	}
}

// end releases the goroutines that wait for the collection that has just ended.
func (c *collector) end() {
	c.mu.Lock()
	c.wanted &^= collectGrown // asked for during the collection, by numbers from before it
	close(c.ended)
	c.ended = nil
	if c.wanted&collectIdle != 0 {
		c.ended = make(chan struct{})
	}
	c.mu.Unlock()
	c.isDue.Store(false)
	if native.kept.Load() >= native.trigger.Load() {
		c.due()
	}
}

// due says that a collection should begin soon: at the end of the calls under way, or after dueDelay. The caller may hold
// an entry's lock.
func (c *collector) due() {
	if !c.isDue.Swap(true) {
		time.AfterFunc(dueDelay, Left)
	}
}

// Left notes that a call into Go has ended, whose arguments are garbage now unless Go code has kept them. The entry into
// Go calls it each time; the compiler must be able to inline it.
func Left() {
	if background.isDue.Load() {
		background.ask(collectGrown)
	}
}

// slowDown makes the caller, which has just made a State, wait for a collection if those that make States outrun the
// collector, and weaken the young list if they outrun its weakening. The caller must hold no lock of this package.
func slowDown() {
	if young.overdue.Load() {
		young.weakenAll()
	}
	if native.kept.Load() >= native.limit.Load() {
		background.wait()
	}
}

func (c *collector) wait() {
	if _, mine := c.droppers.Load(threadID()); mine {
		return // code that a collected object's deleter calls: the collection cannot end before it returns
	}
	timeout := time.NewTimer(maxWait)
	defer timeout.Stop()
	select {
	case <-c.ask(collectGrown):
	case <-timeout.C:
	}
}

// round runs a collection and gives back what it finds, which it counts.
func (c *collector) round() int {
	begin := time.Now()
	found := c.evaluate(true)
	c.rounds.Add(1)
	c.cost.Store(int64(time.Since(begin)))
	return found
}

// evaluate gives back what a collection has found, which it counts, and sets the pace for the next one. With run it runs
// the collection; otherwise it is one that has just ended. If much of what the collection counted as live was only kept by
// what it found, another follows, so that Go's pacer begins with the true size of the heap.
//
// Why a pinned slice may take two of Go's collections. A tensor over a Go slice pins the slice. When the tensor's
// handle is found unreachable the tensor dies, and only then is the slice garbage, while Go's pacer has counted it as
// live and lets the heap grow with every cycle. So a second collection follows at once when the bytes unpinned after
// one exceed the pacer's slack. To keep the slice by the handle instead, every way in which C code can get a reference
// would have to pin it first.
func (c *collector) evaluate(run bool) int {
	found, unpinned, g, settled := c.collect(run)
	if g.percent >= 0 && unpinned >= max(minGrowth, g.live-unpinned)*g.percent/100 {
		var more int
		more, unpinned, g, settled = c.collect(true)
		found += more
	}
	g.live = max(0, g.live-unpinned)
	pace(&g, settled)
	return found
}

// collect drops the references of collected States and the Go values of dead native objects. It returns the number of
// both, the bytes of Go's heap that these values kept, what it read of Go's collector, and how much of the native
// memory that was there at the start is still kept. Memory that was made since then is not part of it: nobody knows yet
// how much of that is garbage.
func (c *collector) collect(run bool) (found int, unpinned int64, g goSettings, settled int64) {
	// Until the States are found, no other goroutine may look for them: weak.Pointer.Value keeps its target for one more
	// collection if it is called in the mark phase of this one.
	c.collecting.Lock()
	before := native.kept.Load()
	var dead []uintptr
	if run {
		young.weakenAll()
		dead = RunGC()
	}
	g = readGoSettings()
	c.seen.Store(g.cycles)
	taken, weight := young.takeCollected()
	dead = append(dead, taken...)
	settled = max(0, min(before-weight, native.kept.Load()))
	c.dropping.Add(1)
	defer c.dropping.Add(-1)
	defer c.onOwnThread()()
	c.collecting.Unlock() // a deleter may call this function again
	c.unpinned.Store(0)
	dropAll(dead, weight)
	found = len(dead) + goRefs.sweep()
	return found, c.unpinned.Swap(0), g, settled
}

// dropAll drops one reference to each object. The bytes that they kept are counted as kept until then, so that those who make
// States wait for this as well (slowDown), when it takes longer than making them does. The caller must have counted itself
// in background.dropping.
func dropAll(objects []uintptr, bytes int64) {
	const atOnce = 1024
	native.kept.Add(bytes)
	for len(objects) > 0 {
		n := min(len(objects), atOnce)
		share := bytes * int64(n) / int64(len(objects))
		for _, object := range objects[:n] {
			if background.stopped.Load() {
				return
			}
			DecRef(Pointer(object))
		}
		native.kept.Add(-share)
		bytes -= share
		objects = objects[n:]
	}
}

// onOwnThread keeps the goroutine on its thread, and the thread in droppers, until the result is called. Deleters run on
// that thread, and the Go code that they call.
func (c *collector) onOwnThread() func() {
	runtime.LockOSThread()
	thread := threadID()
	_, nested := c.droppers.LoadOrStore(thread, nil)
	return func() {
		if !nested {
			c.droppers.Delete(thread)
		}
		runtime.UnlockOSThread()
	}
}

// evaluateNatural does evaluate's work for a collection that Go's runtime, or the program, has started.
func (c *collector) evaluateNatural() {
	g := readGoSettings()
	if g.cycles == c.seen.Load() {
		return
	}
	AfterCollection()
	c.evaluate(false)
	young.weakenAll()
}

// collectIdle runs collections until they find nothing more, or the program has turned Go's collector off.
func (c *collector) collectIdle() {
	if readGoSettings().off {
		return
	}
	if swept := goRefs.sweep(); swept == 0 && native.kept.Load() == 0 {
		return
	}
	for range maxIdleRounds {
		if readGoSettings().off || c.round() == 0 {
			return
		}
	}
}

// Unpinned says that so many bytes of Go's heap, which a native object's reference to a Go value kept, are garbage now.
func Unpinned(bytes uintptr) { background.unpinned.Add(int64(bytes)) }
