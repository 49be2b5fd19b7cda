package gomemory

import (
	"math"
	"os"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"time"
)

// How a small heap gets room once it is collected often.
//
// Go collects a small heap each 4 MB. Arguments and results that are copied make garbage of their size, so a loop of
// calls with 1 MB each collects at every second or third call, and a collection takes longer than the copy. So a library
// whose heap is collected often gets a block that nobody uses. Go's pacer counts it as live and collects each 16 MB.
// Nobody writes to the block, so it has addresses and no memory. What the process pays is the garbage that lies there
// before a collection, and a process that does not collect often does not pay.
//
// Who sets GOGC or GOMEMLIMIT has said how much memory Go may use, so nothing is done.

const (
	often    = 32
	withinMs = 500
	room     = 14 << 20
)

// watched is what is known of the collections since a time.
type watched struct {
	since  time.Time
	cycles uint64          // how many there had been
	block  strings.Builder // it allocates without writing
}

// sentinel is allocated to be collected. It is too large for the allocator to put several into one block.
type sentinel [32]byte

func init() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		(&watched{since: time.Now()}).next()
	}
}

// next has the following collection looked at.
func (w *watched) next() { runtime.AddCleanup(new(sentinel), (*watched).collected, w) }

// collected looks how many collections there were. A busy program runs it after several.
func (w *watched) collected() {
	samples := []metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"},
	}
	metrics.Read(samples)
	if cycles := samples[0].Value.Uint64(); cycles >= w.cycles+often {
		if time.Since(w.since) < withinMs*time.Millisecond {
			if samples[1].Value.Uint64() == 100 && samples[2].Value.Uint64() == math.MaxInt64 {
				w.block.Grow(room)
				kept.Store(w)
			}
			return
		}
		w.since, w.cycles = time.Now(), cycles
	}
	w.next()
}

// kept keeps the block; nil: there is none.
var kept atomic.Pointer[watched]
