package handles

import (
	"math"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
)

// Go's garbage collector sees a hundred bytes for each handle, whatever the native memory behind it. So this package
// counts that memory and starts the collector when it has grown by as much as Go's own pacer would allow: by GOGC percent
// of what was live after the last collection, Go's heap included.
//
// Why native memory paces Go's collector. Go's collector sees a hundred bytes where 8 MB hang, and does not run while
// the heap is small. So each handle has a weight, the native memory of its object, and the sum starts collections as
// Go's heap does (go-ownership.md has the rules). At twice the growth, goroutines that make handles wait for the
// collection, but not for long, because they may hold a lock that a deleter wants.
//
// The handle of an argument should be gone when the call returns, but only the collector can tell whether Go kept it.
// So a collection that becomes due in a call begins when the call returns. Objects without much weight wait until the
// program is idle, or for a regular collection; neither takes more than a fiftieth of one processor.
type nativeMemory struct {
	kept    atomic.Int64 // bytes behind all entries in use, as weigh estimates them
	settled atomic.Int64 // how much of it the last collection has found reachable
	trigger atomic.Int64 // the amount at which a collection is started
	limit   atomic.Int64 // the amount at which goroutines that make handles wait for it
}

// native lies in pinned memory, because other frontends read it.
var native = func() *nativeMemory {
	n := &struct {
		nativeMemory
		_ [64]byte // so that no other data shares its cache line
	}{}
	nativePin.Pin(n)
	n.trigger.Store(minGrowth)
	n.limit.Store(2 * minGrowth)
	return &n.nativeMemory
}()

var nativePin runtime.Pinner // for the life of the process

// minGrowth is the least growth in bytes that starts a collection with GOGC=100, as the 4 MiB of Go's heap.
const minGrowth = 16 << 20

// weighLocked counts the native memory behind an entry, once. The caller holds e.mu, or owns the entry, and a reference to
// the object.
func (e *entry) weighLocked() {
	if e.weight == 0 {
		e.weight = weigh(Pointer(e.object))
		if native.kept.Add(int64(e.weight)*weightUnit) >= native.trigger.Load() {
			background.due()
		}
	}
}

// unweighLocked undoes weighLocked.
func (e *entry) unweighLocked() {
	native.kept.Add(-int64(e.weight) * weightUnit)
	e.weight = 0
}

// goSettings are what the program says about Go's collector, and the sizes that its pacer goes by.
type goSettings struct {
	percent  int64 // GOGC; negative: off
	limit    int64 // the memory limit in bytes
	live     int64 // bytes of Go's heap that the last collection found reachable
	mapped   int64 // bytes that count for the memory limit
	cycles   int64 // number of collections so far
	off      bool  // neither GOGC nor a memory limit ever starts a collection
	hasLimit bool
}

func readGoSettings() goSettings {
	samples := []metrics.Sample{
		{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}, {Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/gc/cycles/total:gc-cycles"},
	}
	metrics.Read(samples)
	value := func(i int) int64 { return int64(samples[i].Value.Uint64()) }
	g := goSettings{
		percent: value(0), limit: value(1), live: value(2), mapped: value(3) - value(4), cycles: value(5),
	}
	g.hasLimit = g.limit != math.MaxInt64
	g.off = g.percent < 0 && !g.hasLimit
	return g
}

// growth returns the growth in bytes that starts the next collection when so many are kept now.
func (g *goSettings) growth(kept int64) int64 {
	least := int64(minGrowth)
	growth := int64(math.MaxInt64 / 4)
	if g.percent >= 0 {
		least = least * g.percent / 100
		growth = max(least, int64(float64(kept+g.live)*float64(g.percent)/100))
	}
	if g.hasLimit {
		growth = min(growth, max(g.limit-g.mapped-kept, minGrowth))
	}
	return max(growth, 1)
}

// pace sets the next trigger, after a collection that has found so much reachable.
func pace(g *goSettings, settled int64) {
	native.settled.Store(settled)
	setTrigger(g, settled)
}

func setTrigger(g *goSettings, settled int64) {
	growth := g.growth(settled)
	native.trigger.Store(settled + growth)
	native.limit.Store(settled + 2*growth)
}

// stillDue says whether a collection that became due is due by what the program says about Go's collector now: it may have
// changed GOGC since the last one.
func stillDue() bool {
	g := readGoSettings()
	setTrigger(&g, native.settled.Load())
	return native.kept.Load() >= native.trigger.Load()
}
