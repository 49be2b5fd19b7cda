#!/bin/sh
# With two Go libraries in a process, a collection in the first waits until loops end: it can interrupt them no more.
#
# Versions: Go 1.26.8
#
# Expected: two runtimes are slower together, and each does its work.
#
# Seen: each installs a handler for SIGURG, by which it interrupts its goroutines. The one loaded last has it, so
# that a loop without calls in the first is stopped only by its own end: runtime.GC takes as long as the loop, and alone a
# small part of it. The second is not affected.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
python_for "3.11 3.12 3.13"
for name in one two; do
  mkdir $name
  printf 'module example.com/%s\ngo 1.26\n' $name >$name/go.mod
  cat >$name/spin.go <<'G'
package main

import "C"

import (
	"runtime"
	"sync/atomic"
	"time"
)

var result atomic.Uint64

// Part returns how many thousandths of a loop's time a collection waits that begins with it.
//
//export Part
func Part() C.int {
	began, ended := make(chan time.Time, 1), make(chan time.Time, 1)
	go func() {
		sum := uint64(1)
		began <- time.Now()
		for i := uint64(0); i < 1_000_000_000; i++ {
			sum = (sum ^ i) * 1099511628211
		}
		result.Store(sum)
		ended <- time.Now()
	}()
	begin := <-began
	runtime.GC()
	waited := time.Since(begin)
	return C.int(1000 * waited / (<-ended).Sub(begin))
}

func main() {}
G
  (cd $name && go build -buildmode=c-shared -o ../$name.so .)
done
GOMAXPROCS=4 "$python" - <<'P'
import ctypes

from seen import end, seen

one = ctypes.CDLL("./one.so")
alone = min(one.Part() for _ in range(3))
two = ctypes.CDLL("./two.so")
two.Part()
first, second = min(one.Part() for _ in range(3)), min(two.Part() for _ in range(3))
print("thousandths of the loop that a collection waits: alone", alone, "beside another", first, "the other", second)
seen("alone under a half, beside another nearly all, the other under a half", (alone < 500, first > 900, second < 500), (True,) * 3)
end()
P
