//go:build !linux

package handles

// #include <pthread.h>
// #include <stdint.h>
// static uintptr_t thread_id(void) { return (uintptr_t)pthread_self(); }
import "C"

// threadID identifies the thread that calls it, among those that live.
func threadID() uintptr { return uintptr(C.thread_id()) }
