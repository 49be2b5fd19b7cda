package gocalls

// #include <stdint.h>
// typedef int64_t (*item_function)(int64_t);
// static int64_t call_item(uintptr_t address, int64_t n) { return ((item_function)address)(n); }
// extern int64_t benchBare(int64_t n);
// static uintptr_t bare_address(void) { return (uintptr_t)benchBare; }
import "C"

import "github.com/selfsame-ffi/selfsame"

// The floors of calls in both directions: cgo alone, without values, errors or panics. floor.c has Python's side.
func init() {
	selfsame.MustRegisterFunc("gocalls.bare_address", func() int64 { return int64(C.bare_address()) })
	selfsame.MustRegisterFunc("gocalls.bare_calls", func(address, n int64) (sum int64) {
		for i := range n {
			sum += int64(C.call_item(C.uintptr_t(address), C.int64_t(i)))
		}
		return sum
	}, selfsame.KeepGIL())
}
