// Package shop has the Go code of pages in docs: python/tests/test_pages.py compares them, and runs the pages' Python code.
package shop

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/selfsame-ffi/selfsame"
)

// Basket holds how many of each thing somebody buys.
type Basket struct {
	selfsame.Object
	Total int64                        `ffi:"ro" doc:"how many things there are"`
	Items selfsame.Dict[string, int64] `ffi:"ro"`
}

// Add puts some of a thing into the basket.
func (b *Basket) Add(name string, n int64) error {
	if n <= 0 {
		return selfsame.Errorf("ValueError", "add: expected a positive number, got %d", n)
	}
	had, _ := b.Items.Get(name)
	b.Items.Set(name, had+n)
	b.Total += n
	return nil
}

// Merge returns a basket with everything of some others.
func Merge(baskets []*Basket) (*selfsame.Handle[Basket], error) {
	merged := selfsame.New[Basket](nil)
	for _, b := range baskets {
		for name, n := range b.Items.All() {
			if err := merged.Get().Add(name, n); err != nil {
				return nil, err
			}
		}
	}
	return merged, nil
}

// paid has the last basket of each customer.
var paid = map[string]*selfsame.Handle[Basket]{}

// Pay returns how many things a customer has bought.
func Pay(customer string, basket *selfsame.Handle[Basket]) int64 {
	paid[customer] = basket
	return basket.Get().Total
}

// Cheapest returns the names of the n cheapest things.
func Cheapest(prices map[string]float64, n int) ([]string, error) {
	names := slices.SortedFunc(maps.Keys(prices), func(a, b string) int { return cmp.Compare(prices[a], prices[b]) })
	if n > len(names) {
		return nil, selfsame.Errorf("IndexError", "expected at most %d, got %d", len(names), n)
	}
	return names[:n], nil
}

func init() {
	selfsame.MustRegister[Basket]("shop.Basket",
		selfsame.Init(func(*Basket) {}),
		selfsame.Method("add", (*Basket).Add, "Puts some of a thing into the basket.", "name", "n=1"))
	selfsame.MustRegisterFunc("shop.merge", Merge, selfsame.ArgNames("baskets"))
	selfsame.MustRegisterFunc("shop.cheapest", Cheapest, selfsame.ArgNames("prices", "n=1"), selfsame.Plain())
	selfsame.MustRegisterFunc("shop.pay", Pay, selfsame.ArgNames("customer", "basket"))
}

// total is the sum of some prices.
func total(prices []float64) (sum float64) {
	for _, price := range prices {
		sum += price
	}
	return sum
}

// sale makes each price of a tensor lower, in place: Go sees the memory of the NumPy array.
func sale(prices *selfsame.Tensor, percent float64) error {
	values, err := selfsame.Elements[float64](prices)
	for i := range values {
		values[i] *= 1 - percent/100
	}
	return err
}

// each calls visit with each name.
func each(names []string, visit func(name string) error) error {
	for _, name := range names {
		if err := visit(name); err != nil {
			return err
		}
	}
	return nil
}

// parallel calls visit for each number, on as many goroutines.
func parallel(numbers []int, visit func(n int) (int, error)) (sum int64, err error) {
	var total atomic.Int64
	var group sync.WaitGroup
	errs := make([]error, len(numbers))
	for i, n := range numbers {
		group.Add(1)
		go func() {
			defer group.Done()
			result, err := visit(n)
			total.Add(int64(result))
			errs[i] = err
		}()
	}
	group.Wait()
	return total.Load(), errors.Join(errs...)
}

// wait waits, unless it is interrupted.
func wait(ctx context.Context, limit time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(limit):
		return nil
	}
}

func init() {
	selfsame.MustRegisterFunc("shop.total", total)
	selfsame.MustRegisterFunc("shop.sale", sale)
	selfsame.MustRegisterFunc("shop.each", each)
	selfsame.MustRegisterFunc("shop.parallel", parallel)
	selfsame.MustRegisterFunc("shop.wait", wait)
}
