package gocalls

import (
	"runtime"
	"runtime/debug"
	"time"

	"github.com/selfsame-ffi/selfsame"
)

// kept has the handles that gocalls.keep made.
var kept []*selfsame.Handle[Node]

// collect runs a full collection of this package's Go runtime. It returns the milliseconds that the collection took,
// and those for which it stopped all goroutines.
func collect() (took, stopped float64) {
	const milliseconds = 1e6
	begin := time.Now()
	runtime.GC()
	took = float64(time.Since(begin)) / milliseconds
	var stats debug.GCStats
	debug.ReadGCStats(&stats)
	return took, float64(stats.Pause[0]) / milliseconds
}

// live_objects.py calls these functions to measure Go's collector.
func init() {
	selfsame.MustRegisterFunc("gocalls.keep", func(n int64) {
		for int64(len(kept)) < n {
			kept = append(kept, nodes.New(func(node *Node) { node.N = 1 }))
		}
	})
	selfsame.MustRegisterFunc("gocalls.collect", collect)
}
