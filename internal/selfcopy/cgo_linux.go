//go:build linux && (amd64 || arm64)

package selfcopy

// #cgo LDFLAGS: -Wl,--wrap=x_cgo_sigaction
import "C"
