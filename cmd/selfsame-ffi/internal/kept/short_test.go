package kept

import "testing"

// Each func says in its comment whether it is short.
const timed = `package cases

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/selfsame-ffi/selfsame"
)

type Item struct {
	selfsame.Object
	Name   selfsame.String
	Price  float64
	Next   selfsame.Opt[Item]
	Tags   selfsame.List[string]
	ByName selfsame.Dict[string, *Item]
	Any    selfsame.Field[any]
}

type handle = *selfsame.Handle[Item]

var ItemClass = selfsame.MustRegister[Item]("cases.Item")

var (
	mu   sync.Mutex
	wait = make(chan int)
	hook = func() {}
)

func adds(a, b int) int { return a + b } // short

func norm(x, y float64) float64 { return math.Hypot(x, y) } // short

func words(a, b string) string { return a + strconv.Itoa(len(b)) } // short

func (it *Item) Init(name string, price float64, next selfsame.Optional[handle]) error { // short
	if price < 0 {
		return selfsame.Errorf("ValueError", "the price of %s is %g, below zero", name, price)
	}
	it.Name.Set(name)
	it.Price = price
	it.Next.Set(next.Value)
	return nil
}

func (it *Item) Add(other *Item) error { // short
	name := other.Name.Get()
	if _, ok := it.ByName.Get(name); ok {
		return fmt.Errorf("there is an item %s already", name)
	}
	it.ByName.Set(name, other)
	it.Tags.Append(name)
	return nil
}

func (it *Item) Same() *Item { return it } // short

func calls(a int) int { return adds(a, adds(a, 1)) } // short

func loops(n int) (sum int) { // not
	for i := range n {
		sum += i
	}
	return sum
}

func jumps(n int) int { // not
again:
	if n < 100 {
		n *= 2
		goto again
	}
	return n
}

func repeats(n int) int { // not
	if n == 0 {
		return 0
	}
	return repeats(n - 1)
}

func callsLoop(n int) int { return loops(n) } // not

func locks(n int) int { // not
	mu.Lock()
	defer mu.Unlock()
	return n
}

func sleeps() { time.Sleep(1) } // not

func receives() int { return <-wait } // not

func sends(n int) { wait <- n } // not

func starts() { go hook() } // not

func callsBack(f func() int) int { return f() } // not

func hooked() { hook() } // not

func takesMany(xs []float64) int { return len(xs) } // not

func takesAny(x any) bool { return x == nil } // not

func setsAny(it *Item, x int) { it.Any.Set(x) } // short

func returnsMany(n int) []int { return make([]int, n) } // not

func grows(text string) string { return strings.Repeat(text, 1000) } // not

func prints(n int) { fmt.Println(n) } // not

func printsPlainly(n int) { println(n) } // not

func panics(n int) int { panic("no") } // short

func panicsOwn(err *slow) int { panic(err) } // not

type slow struct{ ready chan int }

func (s *slow) Error() string { <-s.ready; return "slow" }

func formats(n int, s string) string { return fmt.Sprintf("%d %s", n, s) } // short

func formatsItem(it *Item) string { return fmt.Sprintf("%v", it) } // not

func fetches(it *Item) bool { return it.Next.Get() != nil } // not

func lends(it *Item) *Item { return it.Next.Ptr() } // short

func makes() handle { return ItemClass.New(nil) } // not

func keeps(h handle) { kept = h } // not

var kept handle

func asks(f *selfsame.Function) { f.Call() } // not

func ignores(_ context.Context, n int) int { return n } // short

func checks(ctx context.Context, n int) (int, error) { // short
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return n, checksToo(ctx)
}

func checksToo(ctx context.Context) error { return ctx.Err() } // short

func (it *Item) Checks(ctx context.Context) bool { return ctx.Err() == nil } // short

func waits(ctx context.Context) { <-ctx.Done() } // not

func selects(ctx context.Context) bool { // not
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

func derives(ctx context.Context) error { // not
	inner, end := context.WithCancel(ctx)
	defer end()
	return inner.Err()
}

func ofAnother(ctx, other context.Context) error { return other.Err() } // not

func second(n int, ctx context.Context) error { return ctx.Err() } // not

func compares(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) } // not

func ofOneThatIsKept(ctx context.Context) error { return checksToo(stored) } // not

func ofOneOfAnItem(ctx context.Context, it *Item) error { return it.ctx().Err() } // not

func (it *Item) ctx() context.Context { return stored } // not

var stored context.Context
`

// Requirement: C8
func TestShortFuncs(t *testing.T) { expectLetters(t, timed, short, "short", 37, nil) }
