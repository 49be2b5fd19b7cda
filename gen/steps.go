package gen

import "github.com/selfsame-ffi/selfsame/internal/engine/call"

// Steps is the type of the iterator of an object that is asked for one value after another: each call returns the next one, whether there was
// one, and an error, which ends it. It runs on the thread of its caller, who cannot interrupt it. [`selfsame-ffi wrap`] writes such funcs.
//
// [`selfsame-ffi wrap`]: https://github.com/selfsame-ffi/selfsame/blob/main/docs/wrap.md
type Steps[T any] = call.Steps[T]
