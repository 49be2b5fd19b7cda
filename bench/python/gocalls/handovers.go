package gocalls

import (
	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/spin"
)

// handOvers hands a number to another goroutine and gets it back, n times: the floor of what runs on a goroutine while the thread of
// its caller waits, without a func, an iterator or a value of Python.
func handOvers(n int) (sum int) {
	asked, answered := spin.NewChannel[int](), spin.NewChannel[int]()
	go func() {
		for i := range n {
			answered.Send(asked.Receive(uint32(i)))
		}
	}()
	for i := range n {
		asked.Send(i)
		sum += answered.Receive(uint32(i))
	}
	return sum
}

func init() { selfsame.MustRegisterFunc("gocalls.hand_overs", handOvers) }
