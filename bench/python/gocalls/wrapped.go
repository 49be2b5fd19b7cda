package gocalls

import (
	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen"
)

// Meter stands for a struct of another package.
type Meter struct{ Limit int }

// meter is its class, as `selfsame-ffi wrap` writes one.
type meter struct {
	selfsame.Object
	gen.Wrapped[*Meter]
}

var (
	_ = gen.Wrap[meter, Meter]("gocalls.Meter")
	_ = gen.Fields[meter, Meter]("limit", "Limit")
)

func init() {
	selfsame.MustRegister[meter]("gocalls.Meter", selfsame.Init(func(o *meter) { o.Set(&Meter{5}) }),
		selfsame.Property("limit", func(o *meter) int { defer o.Lock().Unlock(); return o.Go().Limit }, nil, "The limit."))
}
