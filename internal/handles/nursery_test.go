package handles

import (
	"testing"

	_ "github.com/selfsame-ffi/selfsame/internal/control" // the C ABI that the package links against
)

// While the background goroutine is busy, those who make States weaken the nursery: otherwise Go's collector would find
// all of it reachable.
//
// Requirement: C8
func TestNurseryIsWeakenedWhileTheBackgroundGoroutineIsBusy(t *testing.T) {
	background.mu.Lock()
	background.running = true // and never takes up what it is asked for
	background.mu.Unlock()
	most := 0
	for range 20 * minNursery {
		e := new(entry)
		e.setStrong(&State{object: 1, entry: e})
		slowDown()
		nursery.mu.Lock()
		most = max(most, len(nursery.entries))
		nursery.mu.Unlock()
	}
	if most < minNursery || most > 2*minNursery {
		t.Errorf("the nursery had up to %d entries, and should be weakened at %d", most, 2*minNursery)
	}
}
