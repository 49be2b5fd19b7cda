package selfsame_test

import (
	"runtime"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv/nativethread"
)

// Threads that Go did not start call Go funcs; an error or panic ends only the call.
//
// Requirement: D5
func TestFunctionsAreCalledFromNativeThreads(t *testing.T) {
	balanced(t)
	const threads, calls = 8, 200
	work := func(n int) (int, error) {
		h := PointClass.New(func(p *Point) { p.X = float64(n) })
		if n%16 == 0 {
			h.Release()
		}
		switch n % 10 {
		case 3:
			return 0, selfsame.Errorf("ValueError", "three")
		case 7:
			panic("seven")
		}
		return n, nil
	}
	want := int64(0)
	for n := range threads * calls {
		if n%10 != 3 && n%10 != 7 {
			want += int64(n)
		}
	}
	for _, fn := range []any{work, adaptedTryFunc1(work)} {
		f := must(selfsame.NewFunc(fn))(t)
		sum, failures, started := nativethread.Call(addressOf(t, f), threads, calls)
		if started != threads || sum != want || failures != threads*calls/5 {
			t.Errorf("%d threads: sum %d, want %d; %d failures, want %d", started, sum, want, failures, threads*calls/5)
		}
		runtime.KeepAlive(f)
	}
}
