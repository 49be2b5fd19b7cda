//go:build linux && (amd64 || arm64)

package guest

// #cgo LDFLAGS: -Wl,--wrap=x_cgo_sys_thread_create
import "C"
