package main

import (
	"context"
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

// classifier runs the network on virtual machines, of which each has a thread of its own. Any goroutine may use it.
type classifier struct {
	pool *tvm.Pool[*forward]
}

// forward is the network as it was compiled: pictures go in, of shape (count, 1, 16, 16), and probabilities come out, of
// shape (count, 10).
type forward = gen.Callee[func(*selfsame.Tensor) (*selfsame.Tensor, error)]

// newClassifier makes the machines. They run until the program ends.
func newClassifier(executable *tvm.Executable, workers int) (*classifier, error) {
	pool, err := tvm.NewPool(executable, tvm.Config{}, workers, func(vm *tvm.VM) (*forward, error) {
		f, err := vm.Func("forward")
		if err != nil {
			return nil, err
		}
		return gen.CalleeOf[func(*selfsame.Tensor) (*selfsame.Tensor, error)](f), nil
	})
	return &classifier{pool}, err
}

// classify returns ten probabilities for each picture, on a machine that is free.
func (c *classifier) classify(ctx context.Context, pictures []byte) (probabilities []float32, err error) {
	err = c.pool.Do(ctx, func(f *forward) (err error) {
		probabilities, err = probabilitiesOf(f, pictures)
		return err
	})
	return probabilities, err
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
