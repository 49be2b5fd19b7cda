package selfsame_test

import (
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/selfsame-ffi/selfsame"
)

type stressNode struct {
	selfsame.Object
	ID   int64
	Next selfsame.Opt[stressNode]
}

type stressHandle = selfsame.Handle[stressNode]

var stressClass = selfsame.MustRegister[stressNode]("stress.Node")

// stressBox is a native object whose field goroutines share; the lock guards the field, and keeps the
// object of a handle that one goroutine releases alive for another that reads it.
type stressBox struct {
	mu   sync.Mutex
	root *stressHandle
	id   int64 // of the object in the root's field, 0: none
}

// Goroutines make, share, fetch again, release and drop handles while the collector runs all the time. SELFSAME_STRESS is
// how long, such as 1m (`make stress-go`); SELFSAME_SEED repeats a run's choices, though not its timing.
//
// Requirements: D2, D8
func TestManyGoroutinesUnderStress(t *testing.T) {
	balanced(t)
	duration := time.Second
	if text := os.Getenv("SELFSAME_STRESS"); text != "" {
		duration = must(time.ParseDuration(text))(t)
	}
	seed := seedOf(t)
	const goroutines, boxes = 64, 48
	shared := make([]*stressBox, boxes)
	for i := range shared {
		shared[i] = &stressBox{root: stressClass.New(nil)}
	}
	echo := must(selfsame.NewFunc(adaptedFunc1(func(h *stressHandle) *stressHandle { return h })))(t)
	stop := collectAllTheTime()
	var wg sync.WaitGroup
	for g := range goroutines {
		spawn(&wg, func() {
			w := &stressWorker{t: t, random: rand.New(rand.NewPCG(seed, uint64(g))), number: int64(g + 1), boxes: shared, echo: echo}
			for end := time.Now().Add(duration); time.Now().Before(end) && !t.Failed(); {
				for range 20 {
					w.step()
				}
			}
		})
	}
	wg.Wait()
	stop()
	for _, b := range shared {
		b.root.Release()
	}
	shared = nil
	selfsame.Collect()
	if n, ok := stressClass.LiveObjects(); ok && n != 0 {
		t.Errorf("%d objects are left", n)
	}
	for _, l := range selfsame.LiveHandles() {
		if l.TypeKey == stressClass.Key() {
			t.Errorf("left: %v", l)
		}
	}
}

type stressWorker struct {
	t      *testing.T
	random *rand.Rand
	number int64
	made   int64
	boxes  []*stressBox
	echo   *selfsame.Function
	kept   [8]*stressHandle // some handles live through several collections
}

func (w *stressWorker) step() {
	b := w.boxes[w.random.IntN(len(w.boxes))]
	switch w.random.IntN(8) {
	case 0, 1: // make, share, and drop or keep the handle
		w.made++
		id := w.number<<32 | w.made
		h := stressClass.New(func(n *stressNode) { n.ID = id })
		b.mu.Lock()
		b.root.Get().Next.Set(h)
		b.id = id
		b.mu.Unlock()
		w.keep(h)
	case 2: // an object that no other goroutine sees
		h := stressClass.New(nil)
		if n := h.UseCount(); n != 1 {
			w.t.Errorf("a new object's use count is %d", n)
		}
		h.Release()
	case 3: // release a shared handle: the next fetch makes another
		b.mu.Lock()
		if h := b.root.Get().Next.Get(); h != nil {
			h.Release()
			if again := b.root.Get().Next.Get(); again == h || again.Get().ID != b.id {
				w.t.Errorf("after Release: %v", again)
			}
		}
		b.mu.Unlock()
	case 4: // empty the box
		b.mu.Lock()
		b.root.Get().Next.Set(nil)
		b.id = 0
		b.mu.Unlock()
	case 5: // through a native function and back
		b.mu.Lock()
		if h := b.root.Get().Next.Get(); h != nil {
			if got, err := selfsame.CallAs[*stressHandle](w.echo, h); err != nil || got != h {
				w.t.Errorf("%v came back as %v, %v", h, got, err)
			}
		}
		b.mu.Unlock()
	default: // fetch again
		b.mu.Lock()
		h, again := b.root.Get().Next.Get(), b.root.Get().Next.Get()
		switch {
		case h != again:
			w.t.Errorf("two handles of one object: %p and %p", h, again)
		case h == nil && b.id != 0, h != nil && h.Get().ID != b.id:
			w.t.Errorf("the handle of another object")
		}
		b.mu.Unlock()
		w.keep(h)
	}
}

func (w *stressWorker) keep(h *stressHandle) { w.kept[w.random.IntN(len(w.kept))] = h }
