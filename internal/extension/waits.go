package extension

// void ss_extension_note(const char* text);
import "C"

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/initstack"
)

// patience is how long packages may take to initialise before what they wait for is noted. A loader asks later than that.
const patience = 5 * time.Second

// watch looks whether the packages are initialised, at first after a millisecond. In a forked child nobody asks.
var watch struct {
	timer   *time.Timer // nil in a forked child
	started time.Time
	pause   time.Duration // until the next look; the timer's func alone uses it
	noted   bool          // the same
	ended   atomic.Bool
}

// The frontend, and with it this package, is initialised before the packages that use it.
func init() {
	if bridge.Generation == 0 {
		bridge.SetInitialising(true)
		watch.started, watch.pause = time.Now(), time.Millisecond
		ready := make(chan struct{})
		watch.timer = time.AfterFunc(watch.pause, func() {
			<-ready // the timer is assigned
			look()
		})
		close(ready)
	}
}

// Initialised ends the watch: the packages are initialised. Any goroutine may call it, and often.
func Initialised() {
	if watch.timer != nil && !watch.ended.Swap(true) {
		watch.timer.Stop()
		collectAsBefore()
		bridge.SetInitialising(false)
		C.ss_extension_note(nil)
	}
}

func look() {
	if watch.ended.Load() {
		return
	}
	stacks := make([]byte, 1<<16)
	text := initstack.Read(string(stacks[:runtime.Stack(stacks, true)]))
	if text == "" {
		Initialised()
		return
	}
	if !watch.noted && time.Since(watch.started) >= patience {
		watch.noted = true
		C.ss_extension_note(C.CString(text)) // it stays
	}
	watch.pause = min(2*watch.pause, time.Second)
	watch.timer.Reset(watch.pause)
}
