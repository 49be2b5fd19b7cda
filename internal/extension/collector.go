//go:build selfsame_shared

package extension

import "runtime/debug"

// Go's collector runs each time that the heap has doubled, and a library that is being loaded begins with an empty one: a large package
// would see six collections while its classes are registered, which find most of the memory in use. So the heap may grow by more until
// then. What the program says of GOGC counts, before and after.

// rarer is by what factor.
const rarer = 4

// percents are GOGC before and during the initialisation; both are 0 if that is off.
var percents struct{ before, during int }

func init() {
	percents.before = debug.SetGCPercent(-1)
	if percents.before > 0 { // GOGC=0 and off stay
		percents.during = rarer * percents.before
	}
	debug.SetGCPercent(max(percents.during, percents.before))
}

// collectAsBefore ends that.
func collectAsBefore() {
	if percents.during == 0 {
		return
	}
	if now := debug.SetGCPercent(percents.before); now != percents.during { // the program has set another one
		debug.SetGCPercent(now)
	}
	percents.during = 0
}
