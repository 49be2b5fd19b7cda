package extension

import (
	"runtime/debug"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// Go's collector runs each time that the heap has doubled, and a library that is being loaded begins with an empty one. A large package
// would see six collections while its classes are registered, which find most of the memory in use. So the heap may grow by more until
// its packages are initialised. What the program says of GOGC counts, before and after.

// rarer is by what factor.
const rarer = 4

// percents are GOGC before and during the initialisation; during is 0 where it stays as it is.
var percents struct{ before, during int }

func init() {
	if bridge.Generation > 0 { // in a forked child nothing tells of the end
		return
	}
	percents.before = debug.SetGCPercent(-1) // which is off
	switch {
	case percents.before > 0:
		percents.during = rarer * percents.before
		debug.SetGCPercent(percents.during)
	case percents.before == 0:
		debug.SetGCPercent(0)
	}
}

// collectAsBefore ends that. Initialised calls it once.
func collectAsBefore() {
	if percents.during == 0 {
		return
	}
	if now := debug.SetGCPercent(percents.before); now != percents.during { // the program has set another one
		debug.SetGCPercent(now)
	}
}
