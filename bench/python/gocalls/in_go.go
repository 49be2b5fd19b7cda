package gocalls

import "github.com/selfsame-ffi/selfsame"

// What Go code does with objects and containers of its own, in loops of n: fast_path_operations.py counts it.
func init() {
	selfsame.MustRegisterFunc("gocalls.make_and_release", func(n int64) {
		for range n {
			nodes.New(func(node *Node) { node.N = 1 }).Release()
		}
	})
	selfsame.MustRegisterFunc("gocalls.sum_at", func(a *selfsame.Array[int64], n int64) (sum int64) {
		for i := range n {
			sum += a.At(int(i))
		}
		return sum
	})
	selfsame.MustRegisterFunc("gocalls.append_ints", func(n int64) (int64, error) {
		list, err := selfsame.NewList[int64](nil)
		if err != nil {
			return 0, err
		}
		for i := range n {
			list.Append(i)
		}
		return int64(list.Len()), nil
	})
	selfsame.MustRegisterFunc("gocalls.array_of_ints", func(n int64) (*selfsame.Array[int64], error) {
		return selfsame.NewArray(firstInts(n))
	})
	selfsame.MustRegisterFunc("gocalls.ints_out", firstInts)
	selfsame.MustRegisterFunc("gocalls.each_two", func(f func(int64, float64) (float64, error), n int64) error {
		for i := range n {
			if _, err := f(i, 1); err != nil {
				return err
			}
		}
		return nil
	})
}
