//go:build !selfsame_shared

package selfsame

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	_ "github.com/selfsame-ffi/selfsame/runtime" // the functions of the ABI
)

func runtimeBound() error { return nil }

func liveObjectsFunction() unsafe.Pointer { return bridge.LinkedLiveObjects() }

func restingFunctions() (allocation, count unsafe.Pointer) { return bridge.LinkedResting() }

// registrationFailed ends the program: a class or function that its author declared is missing.
func registrationFailed(err error) { panic(err) }
