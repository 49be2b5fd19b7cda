package kept

import "testing"

// library is a package that knows nothing of Python.
const library = `package library

import "sync"

type Box struct {
	mu    sync.Mutex
	n     int
	items []int
	next  *Box
}

type Name string

func New(n int) *Box { return &Box{n: n} }

func (b *Box) Size() int { return b.size() }

func (b *Box) size() int { return len(b.items) + b.n }

func (b *Box) Next() *Box { return b.next }

func (b *Box) Locked() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}

func (b *Box) Sum() (sum int) {
	for _, i := range b.items {
		sum += i
	}
	return sum
}

func (n Name) Long() bool { return len(n) > 10 }

type Slow struct{ ready chan int }

func (s *Slow) Error() string { <-s.ready; return "slow" }

func (b *Box) Fails() error { return &Slow{} }

func (b *Box) Slow() *Slow { return nil }

func (b *Box) Tries() (int, error) { return b.n, nil }

func (b *Box) Asks() bool { _, err := b.Tries(); return err == nil }

func (b *Box) Panics() int { panic(&Slow{}) }

func (b *Box) Refuses() int { panic("no") }

func (b *Box) Prints() { println(b.n) }
`

// wrapped is what wrap writes for it. Each func says in its comment whether it is short.
const wrapped = `package cases

import (
	"example.org/cases.v2/library"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen"
)

type Box struct {
	selfsame.Object
	gen.Wrapped[*library.Box]
}

type Name struct {
	selfsame.Object
	gen.Wrapped[*library.Name]
}

var made = func(n int) *library.Box { return library.New(n) } // short

var size = func(o *Box) int { defer o.Lock().Unlock(); return o.Go().Size() } // short

var next = func(o *Box) *library.Box { defer o.Lock().Unlock(); return o.Go().Next() } // short

var adds = func(o *Box, other *library.Box) int { defer o.Lock(other).Unlock(); return o.Go().Size() + other.Size() } // short

var long = func(o *Name) bool { defer o.Lock().Unlock(); return o.Go().Long() } // short

var asks = func(o *Box) bool { defer o.Lock().Unlock(); return o.Go().Asks() } // short

var refuses = func(o *Box) int { defer o.Lock().Unlock(); return o.Go().Refuses() } // short

var fails = func(o *Box) error { defer o.Lock().Unlock(); return o.Go().Fails() } // the error has methods of the library

var slow = func(o *Box) error { defer o.Lock().Unlock(); return o.Go().Slow() } // has them too

var tries = func(o *Box) (int, error) { defer o.Lock().Unlock(); return o.Go().Tries() } // may have them

var panics = func(o *Box) int { defer o.Lock().Unlock(); return o.Go().Panics() } // the value has them

var prints = func(o *Box) { defer o.Lock().Unlock(); o.Go().Prints() } // may wait for a pipe

var waits = func(o *Box) int { defer o.Lock().Unlock(); return o.Go().Locked() } // may wait

var sum = func(o *Box) int { defer o.Lock().Unlock(); return o.Go().Sum() } // loops

var calls = func(o *Box, f func()) { defer o.Lock().Unlock(); f() } // runs other code
`

// Requirement: C8
func TestMethodsOfWrappedTypesAreShortWhereThoseOfTheTypesAre(t *testing.T) {
	expectLetters(t, wrapped, short, "short", 15, map[string]string{"library/library.go": library})
}
