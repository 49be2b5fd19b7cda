//go:build linux && (amd64 || arm64)

package gomemory

// #cgo CFLAGS: -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -O2
// #cgo LDFLAGS: -Wl,--wrap=_cgo_sys_thread_start
import "C"
