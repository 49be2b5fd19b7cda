package handles

import (
	"testing"

	_ "github.com/selfsame-ffi/selfsame/internal/control" // the C ABI that the package links against
)

// While the background goroutine is busy, those who make States weaken the young list: otherwise Go's collector would find
// all of it reachable.
//
// Requirement: C8
func TestYoungHandlesAreWeakenedWhileTheBackgroundGoroutineIsBusy(t *testing.T) {
	background.mu.Lock()
	background.running = true // and never takes up what it is asked for
	background.mu.Unlock()
	most := 0
	for range 20 * minYoung {
		e := new(entry)
		e.setStrong(&State{object: 1, entry: e})
		slowDown()
		young.mu.Lock()
		most = max(most, len(young.entries))
		young.mu.Unlock()
	}
	if most < minYoung || most > 2*minYoung {
		t.Errorf("the young list had up to %d entries, and should be weakened at %d", most, 2*minYoung)
	}
}
