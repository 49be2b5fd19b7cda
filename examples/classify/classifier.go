package main

import (
	"runtime"
	"slices"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen"
	"github.com/selfsame-ffi/selfsame/tvm"
)

// The sides of a picture, its bytes, and how many digits there are.
const (
	side   = 16
	pixels = side * side
	digits = 10
)

// classifier has goroutines that run the network, each with a virtual machine of its own. Any goroutine may use it.
type classifier struct {
	jobs chan job
}

type job struct {
	pictures []byte
	done     chan<- result
}

type result struct {
	probabilities []float32
	err           error
}

// forward is the network as it was compiled: pictures go in, of shape (count, 1, 16, 16), and probabilities come out, of
// shape (count, 10).
type forward = gen.Callee[func(*selfsame.Tensor) (*selfsame.Tensor, error)]

// newClassifier starts the goroutines. They run until the program ends.
func newClassifier(executable *tvm.Executable, workers int) (*classifier, error) {
	c := &classifier{make(chan job)}
	for range workers {
		vm, err := executable.NewVM(tvm.Config{})
		if err != nil {
			return nil, err
		}
		f, err := vm.Func("forward")
		if err != nil {
			return nil, err
		}
		go c.work(gen.CalleeOf[func(*selfsame.Tensor) (*selfsame.Tensor, error)](f))
	}
	return c, nil
}

func (c *classifier) work(f *forward) {
	runtime.LockOSThread() // TVM makes threads for each thread that calls a parallel kernel
	for j := range c.jobs {
		probabilities, err := probabilitiesOf(f, j.pictures)
		j.done <- result{probabilities, err}
	}
}

// classify returns ten probabilities for each picture, on a worker that is free.
func (c *classifier) classify(pictures []byte) ([]float32, error) {
	done := make(chan result, 1)
	c.jobs <- job{pictures, done}
	r := <-done
	return r.probabilities, r.err
}

func probabilitiesOf(f *forward, pictures []byte) ([]float32, error) {
	input := make([]float32, len(pictures))
	for i, p := range pictures {
		input[i] = float32(p) / 255
	}
	tensor, err := selfsame.NewTensor(input, len(pictures)/pixels, 1, side, side) // shares the memory of input
	if err != nil {
		return nil, err
	}
	defer tensor.Release()
	out, err := gen.Invoke1(f, tensor)
	if err != nil {
		return nil, err
	}
	defer out.Release()
	probabilities, err := selfsame.Elements[float32](out) // the memory of out, which is released
	return slices.Clone(probabilities), err
}
