// Package money is what the packages accounts and rates both depend on; each of the two is a library of its own.
package money

import (
	"runtime"
	"sync/atomic"

	"github.com/selfsame-ffi/selfsame"
)

// Amount is an amount of money.
type Amount struct {
	selfsame.Object
	Cents    int64
	Currency selfsame.String
	Fee      selfsame.Opt[Amount]
	Share    share
	origin   selfsame.Value[[]string]
}

var dropped atomic.Int64

// AmountClass makes amounts.
var AmountClass = selfsame.MustRegister[Amount]("money.Amount",
	selfsame.Init(func(a *Amount, cents int64, currency string) {
		a.Cents = cents
		a.Currency.Set(currency)
	}, "cents", "currency='EUR'"),
	selfsame.Method("double", func(a *Amount) int64 { return 2 * a.Cents }, "Twice the cents."),
	selfsame.Equality(func(a, b *Amount) bool { return a.Cents == b.Cents }, func(a *Amount) int64 { return a.Cents }),
	selfsame.OnDrop(func(*Amount) { dropped.Add(1) }))

// Kind is the kind of a booking.
type Kind struct {
	selfsame.IntEnum
}

// The members of Kind.
var (
	KindClass = selfsame.MustRegister[Kind]("money.Kind")
	Debit     = selfsame.MustMember(KindClass, "debit", 1, nil)
	Credit    = selfsame.MustMember(KindClass, "credit", 2, nil)
)

func init() {
	selfsame.MustRegisterFunc("money.add", func(a, b term) term { return a + b }, selfsame.ArgNames("a", "b"))
}

// Register registers what accounts and rates each have of their own.
func Register(library string) {
	selfsame.MustRegisterFunc(library+".make", func(cents int64) *selfsame.Handle[Amount] {
		return AmountClass.New(func(a *Amount) {
			a.Cents = cents
			a.origin.Set([]string{library})
		})
	})
	selfsame.MustRegisterFunc(library+".cents", func(a *Amount) int64 { return a.Cents })
	selfsame.MustRegisterFunc(library+".origin", func(a *Amount) ([]string, error) { return a.origin.Load() })
	selfsame.MustRegisterFunc(library+".credit", func() *selfsame.Handle[Kind] { return Credit })
	selfsame.MustRegisterFunc(library+".is_credit", func(k *selfsame.Handle[Kind]) bool { return k == Credit })
	selfsame.MustRegisterFunc(library+".dropped", func() int64 {
		runtime.GC() // releases the handles that Go has let go
		return dropped.Load()
	})
}
