package python_test

import (
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/host/python"
)

// Requirement: D18

// operations returns how many the random test does: those of the variable SELFSAME_HOST_OPERATIONS.
func operations() int {
	if n, err := strconv.Atoi(os.Getenv("SELFSAME_HOST_OPERATIONS")); err == nil {
		return n
	}
	return 20000
}

// side is what one goroutine of the random test knows: the objects that Python keeps under a number, and the handles that Go
// keeps of some of them. An object that both keep has one handle; one that neither keeps is gone.
type side struct {
	store, make, put, get, drop, alive *python.Object
	held                               map[int]*python.Object
	points                             map[int]*selfsame.Handle[point]
	kept                               map[int]bool // what Python keeps
	next                               int
}

func TestRandomOperationsKeepIdentityAndLeakNothing(t *testing.T) {
	const goroutines = 4
	var group sync.WaitGroup
	for g := range goroutines {
		space := must[*python.Object](t)(py.Namespace(nil))
		if err := py.Exec(`
import weakref
class Thing:
    def __init__(self, n): self.n = n
store, every = {}, weakref.WeakSet()
def make(n):
    thing = Thing(n)
    every.add(thing)
    return thing
def put(n, thing): store[n] = thing
def get(n): return store[n]
def drop(n): del store[n]
def alive():
    import gc
    gc.collect()
    return len(every)
`, space); err != nil {
			t.Fatal(err)
		}
		s := &side{held: map[int]*python.Object{}, points: map[int]*selfsame.Handle[point]{}, kept: map[int]bool{}}
		for name, at := range map[string]**python.Object{"store": &s.store, "make": &s.make, "put": &s.put, "get": &s.get, "drop": &s.drop, "alive": &s.alive} {
			*at = must[*python.Object](t)(space.Item(name))
		}
		random := rand.New(rand.NewPCG(uint64(g), 1))
		together(&group, func() {
			for range operations() / goroutines {
				if !s.step(t, random) {
					return
				}
			}
			s.end(t)
		})
	}
	group.Wait()
}

// step does one operation; false after a failure.
func (s *side) step(t *testing.T, random *rand.Rand) bool {
	n := random.IntN(s.next + 1)
	var err error
	switch random.IntN(8) {
	case 0: // a new object of Python
		s.held[s.next], err = s.make.Call(s.next)
		s.next++
	case 1: // a new object of Go
		p := pointClass.New(func(p *point) { p.X = float64(s.next) })
		s.points[s.next] = p
		s.next++
	case 2:
		if object, ok := s.held[n]; ok {
			_, err = s.put.Call(n, object)
			s.kept[n] = true
		} else if p, ok := s.points[n]; ok {
			_, err = s.put.Call(n, p)
			s.kept[n] = true
		}
	case 3, 4:
		if s.kept[n] {
			err = s.fetch(t, n)
		}
	case 5:
		delete(s.held, n)
		delete(s.points, n)
	case 6:
		if s.kept[n] {
			_, err = s.drop.Call(n)
			delete(s.kept, n)
		}
	case 7:
		if random.IntN(200) == 0 {
			runtime.GC()
		} else if object, ok := s.held[n]; ok && random.IntN(4) == 0 {
			object.Release() // an early end: the next fetch makes another handle
			delete(s.held, n)
		}
	}
	if err != nil {
		t.Errorf("%+v", err)
	}
	return !t.Failed()
}

// fetch gets an object from Python: it is the one that Go holds, if it does.
func (s *side) fetch(t *testing.T, n int) error {
	got, err := python.CallAs[any](s.get, n)
	if err != nil {
		return err
	}
	switch got := got.(type) {
	case *selfsame.Handle[point]:
		if p := s.points[n]; p != nil && p != got || got.Get().X != float64(n) {
			t.Errorf("object %d of Go is another one", n)
		}
		s.points[n] = got
	case *python.Object:
		if object := s.held[n]; object != nil && object != got {
			t.Errorf("object %d of Python has another handle", n)
		}
		number, err := python.As[int](got.Attr("n"))
		if err != nil || number != n {
			t.Errorf("object %d has number %d, %v", n, number, err)
		}
		s.held[n] = got
	default:
		t.Errorf("object %d is a %T", n, got)
	}
	return nil
}

// end drops everything: no object of Python is left.
func (s *side) end(t *testing.T) {
	clear(s.held)
	clear(s.points)
	if _, err := s.store.CallMethod("clear"); err != nil {
		t.Error(err)
	}
	for range 100 {
		runtime.GC()
		alive, err := python.CallAs[int](s.alive)
		if err != nil || alive == 0 {
			if err != nil {
				t.Error(err)
			}
			return
		}
		runtime.Gosched()
	}
	t.Error("objects that nobody keeps are alive")
}
