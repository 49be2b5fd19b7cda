package gen

import (
	"fmt"
	"iter"
	"os"
)

// Sending returns a channel for a Go func that sends into a channel of its caller's: send gets the values, one after another, on a
// goroutine of their own. end must be called when the Go func has returned; it waits for the send that runs and panics with the
// first error of send, after which further values were thrown away. The channel of a nil send is nil. [`selfsame-ffi wrap`] writes
// such calls. Any goroutine may call both.
//
// [`selfsame-ffi wrap`]: https://github.com/selfsame-ffi/selfsame/blob/main/docs/wrap.md
func Sending[T any](send func(T) error) (channel chan T, end func()) {
	if send == nil {
		return nil, func() {}
	}
	channel = make(chan T)
	stop, done := make(chan struct{}), make(chan struct{})
	var failed any
	go func() {
		defer close(done)
		for {
			select {
			case value, ok := <-channel:
				if !ok {
					return
				}
				if failed == nil {
					failed = send(value)
				}
			case <-stop:
				return
			}
		}
	}()
	return channel, ender(stop, done, &failed)
}

// ender returns a func that stops a goroutine, waits for its end, and panics with what it has failed with.
func ender(stop, done chan struct{}, failed *any) func() {
	return func() {
		close(stop)
		if <-done; *failed != nil {
			panic(*failed)
		}
	}
}

// keptValues is how many values a channel of KeptSending holds for a send that is slower than what comes.
const keptValues = 64

// KeptSending does what [Sending] does for a Go func that keeps the channel: values are passed on until Go closes the channel. An
// error of send ends nothing; it is written to the standard error output.
func KeptSending[T any](send func(T) error) chan T {
	if send == nil {
		return nil
	}
	channel := make(chan T, keptValues)
	go func() {
		for value := range channel {
			if err := send(value); err != nil {
				fmt.Fprintln(os.Stderr, "selfsame: ignored in a callback that gets what Go sends into a channel:", err)
			}
		}
	}()
	return channel
}

// Receiving returns a channel for a Go func that receives from a channel of its caller's: it gives the values, and is closed behind
// the last one. end must be called when the Go func has returned; it ends the loop over the values and panics with the error of
// that loop, if there was one. The channel of nil values is nil. Any goroutine may call both.
func Receiving[T any](values iter.Seq[T]) (channel <-chan T, end func()) {
	if values == nil {
		return nil, func() {}
	}
	given, stop, done := make(chan T), make(chan struct{}), make(chan struct{})
	var failed any
	go func() {
		defer close(done)
		defer close(given)
		defer func() { failed = recover() }()
		for value := range values {
			select {
			case given <- value:
			case <-stop:
				return
			}
		}
	}()
	return given, ender(stop, done, &failed)
}
