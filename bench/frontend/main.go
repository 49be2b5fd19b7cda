// Command frontend times the Go frontend beside bare cgo and Go alone, in one run: `make bench-go`.
//
// Each row runs both sides in turn, many times, and keeps the fastest time of each, so that other load on the machine
// slows both alike. Quote the ratios, not the times.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// row is one comparison. ours and theirs do the operation n times.
type row struct {
	name, peer string
	target     string // the ratio to reach, "" if there is none
	n          int
	ours       func(n int)
	theirs     func(n int)
}

func main() {
	rounds := flag.Int("rounds", 25, "how often each side of a row runs; the fastest run counts")
	only := flag.String("only", "", "run only the rows whose name contains this")
	flag.Parse()
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "operation\tpeer\tratio\ttarget\tallocations per operation")
	for _, r := range rows() {
		if !strings.Contains(r.name, *only) {
			continue
		}
		ours, theirs := fastest(&r, *rounds)
		fmt.Fprintf(out, "%s\t%s\t%.2f\t%s\t%.2f\n", r.name, r.peer, float64(ours)/float64(theirs), r.target, allocations(&r))
		runtime.GC()
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func fastest(r *row, rounds int) (ours, theirs time.Duration) {
	ours, theirs = 1<<62, 1<<62
	for range rounds {
		ours = min(ours, timed(r.ours, r.n))
		theirs = min(theirs, timed(r.theirs, r.n))
	}
	return ours, theirs
}

func timed(f func(int), n int) time.Duration {
	start := time.Now()
	f(n)
	return time.Since(start)
}

// allocations returns the number of Go allocations per operation of r.ours.
func allocations(r *row) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r.ours(r.n)
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(r.n)
}
