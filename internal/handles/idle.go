package handles

import (
	"sync"
	"sync/atomic"
	"time"
)

// Go's collector runs when Go's heap grows. A program that has stopped calling Go allocates nothing, and would keep what
// Go dropped for ever. So a timer runs while the program uses this package, and collects once after it has stopped.
var idle struct {
	active atomic.Bool // the package was used since the timer ran last

	mu       sync.Mutex
	watching bool  // the timer runs
	periods  int   // the number of periods in which the program was active and nothing was collected
	rounds   int64 // background.rounds when periods was 0 last
}

const (
	idlePeriod = time.Second
	// maxActive is the number of periods after which a program that never stops is collected too.
	maxActive = 30
	// idleShare bounds the share of one processor's time that goes into these collections to 1/idleShare, unless a
	// collection takes longer than maxIdlePeriod/idleShare.
	idleShare     = 50
	maxIdlePeriod = 10 * time.Second
)

// WakeIdle says that the program is using this package. It must stay small enough to be inlined.
func WakeIdle() {
	if !idle.active.Load() {
		watchIdle()
	}
}

func watchIdle() {
	idle.active.Store(true)
	idle.mu.Lock()
	defer idle.mu.Unlock()
	if !idle.watching {
		idle.watching = true
		idle.periods = 0
		nextIdleCheck()
	}
}

// nextIdleCheck starts the timer. The caller holds idle.mu.
func nextIdleCheck() {
	share := idleShare * time.Duration(background.cost.Load())
	time.AfterFunc(min(max(idlePeriod, share), maxIdlePeriod), checkIdle)
}

// checkIdle collects if the package was not used for a period.
func checkIdle() {
	idle.mu.Lock()
	defer idle.mu.Unlock()
	if idle.active.Swap(false) {
		if rounds := background.rounds.Load(); rounds != idle.rounds {
			idle.rounds, idle.periods = rounds, 0
		}
		if idle.periods++; idle.periods >= maxActive {
			idle.periods = 0
			background.ask(collectIdle)
		}
		nextIdleCheck()
		return
	}
	// watchIdle stores active first and waits for mu, so it finds the timer stopped and starts another.
	idle.watching = false
	background.ask(collectIdle)
}

// Idle reports whether the timer and the collection that it asked for have ended, and it has not begun again: nothing will run
// until the package is used again.
func Idle() bool {
	ended := func() bool {
		idle.mu.Lock()
		defer idle.mu.Unlock()
		return !idle.watching && !idle.active.Load()
	}
	if !ended() {
		return false
	}
	background.mu.Lock()
	busy := background.running
	background.mu.Unlock()
	return !busy && ended() // the collection itself may have used the package
}
