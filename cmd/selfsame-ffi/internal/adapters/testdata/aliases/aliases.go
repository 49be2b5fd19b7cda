// Package aliases registers funcs whose types have names of their own in a func's body.
package aliases

import "github.com/selfsame-ffi/selfsame"

type whole = int64

func init() {
	type lent = selfsame.LentTensor
	type kept = []*selfsame.Tensor
	type local struct{ n int }
	selfsame.MustRegisterFunc("aliases.one", func(lent) {})
	selfsame.MustRegisterFunc("aliases.more", func(_ map[string]kept, _ func(lent) whole) kept { return nil })
	selfsame.MustRegisterFunc("aliases.none", func(local) {})
}
