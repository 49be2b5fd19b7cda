// Package spin lets a goroutine look for a value in a channel before it sleeps. To wake a thread on another processor takes
// longer than many a value takes to come.
package spin

// #cgo CFLAGS: -D_GNU_SOURCE
// #cgo noescape ss_spin
// #cgo nocallback ss_spin
// #cgo nocallback ss_one_processor
// #include <stdint.h>
// #ifdef __linux__
// #include <sched.h>
// #endif
//
// // Looks at *count at most `most` times, until it is not `seen`. Returns whether it is not.
// static int ss_spin(const uint32_t* count, uint32_t seen, int most) {
//   for (int i = 0; i < most; i++) {
//     if (__atomic_load_n(count, __ATOMIC_ACQUIRE) != seen) return 1;
// #if defined(__x86_64__)
//     __builtin_ia32_pause();
// #elif defined(__aarch64__)
//     __asm__ volatile("yield");
// #endif
//   }
//   return 0;
// }
//
// // Returns whether the calling thread may run on one processor only. Go knows what held when it started.
// static int ss_one_processor(void) {
// #ifdef __linux__
//   cpu_set_t processors;
//   return sched_getaffinity(0, sizeof(processors), &processors) == 0 && CPU_COUNT(&processors) == 1;
// #else
//   return 0;
// #endif
// }
import "C"

import (
	"runtime"
	"sync/atomic"
)

// Channel is a channel with room for one value, for one receiver at a time.
type Channel[T any] struct {
	values chan T
	sent   uint32 // how many values were sent
	looks  int    // how often the receiver looks before it sleeps
}

// most is how often a receiver looks when it has found values by that. It takes tens of microseconds.
const most = 1000

// several is true while the process is known to have more than one processor. To ask costs a system call, which each loop and each
// call of a func with a context would make. A look in vain, after which it may have lost one, has the next Channel ask again.
var several atomic.Bool

// NewChannel returns a Channel without a value.
func NewChannel[T any]() *Channel[T] {
	c := &Channel[T]{values: make(chan T, 1)}
	if !several.Load() {
		several.Store(runtime.GOMAXPROCS(0) > 1 && C.ss_one_processor() == 0)
	}
	if several.Load() { // else the sender waits for the receiver's processor
		c.looks = most
	}
	return c
}

// Send sends a value; it blocks while there is one.
func (c *Channel[T]) Send(v T) {
	c.values <- v
	atomic.AddUint32(&c.sent, 1)
}

// Values returns the channel, for receivers that sleep.
func (c *Channel[T]) Values() <-chan T { return c.values }

// Sent returns the number of values that were sent so far.
func (c *Channel[T]) Sent() uint32 { return atomic.LoadUint32(&c.sent) }

// Look receives the value that comes after the first `seen` ones, without sleep. It returns false when none comes within some
// microseconds; a receiver that has often looked in vain looks less. It looks in C, where the Go scheduler can take its processor:
// the sender may be waiting for that one.
func (c *Channel[T]) Look(seen uint32) (v T, found bool) {
	if C.ss_spin((*C.uint32_t)(&c.sent), C.uint32_t(seen), C.int(c.looks)) == 0 {
		c.looks /= 2
		several.Store(false)
		return v, false
	}
	c.looks = min(2*c.looks, most)
	return <-c.values, true
}

// Receive receives the value that comes after the first `seen` ones. It looks before it sleeps.
func (c *Channel[T]) Receive(seen uint32) T {
	if v, found := c.Look(seen); found {
		return v
	}
	return <-c.values
}
