package goroutine

import "testing"

func TestEachLivingGoroutineHasItsOwnNumber(t *testing.T) {
	const n = 100
	numbers, leave := make(chan uintptr), make(chan struct{})
	for range n {
		go func() {
			first := Current()
			numbers <- first
			<-leave
			if again := Current(); again != first {
				t.Errorf("a goroutine had the number %d, then %d", first, again)
			}
			numbers <- 0
		}()
	}
	seen := map[uintptr]bool{0: true, Current(): true}
	for range n {
		if number := <-numbers; seen[number] {
			t.Errorf("%d is 0 or the number of another goroutine", number)
		} else {
			seen[number] = true
		}
	}
	close(leave)
	for range n {
		<-numbers
	}
}

func TestGoroutinesOfOthersAreTold(t *testing.T) {
	const own = "github.com/selfsame-ffi/selfsame/internal/goroutine."
	told := make(chan [2]bool)
	go func() { told <- [2]bool{IsOfCaller(), IsOfCaller("another.", own)} }()
	if got := <-told; got != [2]bool{false, true} {
		t.Errorf("a goroutine that this package has started: %v, want that only its name makes it one of the caller's", got)
	}
}
