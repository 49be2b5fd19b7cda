// Package rates depends on package money, as the other one does.
package rates

import (
	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/python/tests/shared/money"
)

// Box has an amount.
type Box struct {
	selfsame.Object
	Amount selfsame.Opt[money.Amount]
}

// BoxClass makes boxes.
var BoxClass = selfsame.MustRegister[Box]("rates.Box", selfsame.AutoInit())

func init() { money.Register("rates") }
