package gocalls

import (
	"iter"

	"github.com/selfsame-ffi/selfsame"
)

// Holder is the class of an object with a Go value in it.
type Holder struct {
	selfsame.Object
	Counts selfsame.Value[map[string]int64]
}

// Kept keeps a copy of bytes, so that the compiler does not leave the copy out.
var Kept []byte

// keptInts is what kept_ints returns: without new memory for each call, which Go's collector would have to find again.
var keptInts = firstInts(1000)

func firstInts(n int64) []int64 {
	made := make([]int64, n)
	for i := range made {
		made[i] = int64(i)
	}
	return made
}

func sum[N int64 | float64](values []N) (sum N) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// eachBound calls f with 0 to n - 1 and adds up what it returns.
func eachBound(f *selfsame.Function, n int64) (sum int64, err error) {
	call, err := selfsame.Bind[func(int64) (int64, error)](f)
	if err != nil {
		return 0, err
	}
	for i := range n {
		v, err := call(i)
		if err != nil {
			return 0, err
		}
		sum += v
	}
	return sum, nil
}

// Values that cross by copy, callbacks and iteration. bench_pyo3/src/values.rs does the same in Rust.
func init() {
	selfsame.MustRegister[Holder]("gocalls.Holder",
		selfsame.Init(func(h *Holder) { h.Counts.Set(map[string]int64{"n": 7}) }),
		selfsame.Method("__contains__", func(_ *Holder, n int64) bool { return n == 7 }, "Whether it is the number.", "n"))
	selfsame.MustRegisterFunc("gocalls.read_value", func(h *Holder) int64 { return int64(len(h.Counts.Get())) })
	selfsame.MustRegisterFunc("gocalls.volume", func(width, height, depth int64) int64 { return width * height * depth },
		selfsame.ArgNames("width", "height", "depth=1"))
	selfsame.MustRegisterFunc("gocalls.sum_dict", func(d map[string]int64) (sum int64) {
		for _, v := range d {
			sum += v
		}
		return sum
	})
	selfsame.MustRegisterFunc("gocalls.copy_dict", func(d map[string]int64) map[string]int64 { return d }, selfsame.Plain())
	selfsame.MustRegisterFunc("gocalls.sum_ints", sum[int64])
	selfsame.MustRegisterFunc("gocalls.sum_floats", sum[float64])
	selfsame.MustRegisterFunc("gocalls.sum_read_ints", func(values []int64) int64 { return sum(values) })
	selfsame.MustRegisterFunc("gocalls.sum_read_floats", func(values []float64) float64 { return sum(values) })
	selfsame.MustRegisterFunc("gocalls.sum_lent", func(values selfsame.LentSlice[float64]) float64 { return sum(values) })
	selfsame.MustRegisterFunc("gocalls.sum_tensor", func(t *selfsame.Tensor) (float64, error) {
		values, err := selfsame.Elements[float64](t)
		return sum(values), err
	})
	selfsame.MustRegisterFunc("gocalls.sum_texts", func(texts []string) (sum int64) {
		for _, text := range texts {
			sum += int64(len(text))
		}
		return sum
	})
	selfsame.MustRegisterFunc("gocalls.make_ints", firstInts, selfsame.Plain())
	selfsame.MustRegisterFunc("gocalls.kept_ints", func() []int64 { return keptInts }, selfsame.Plain())
	selfsame.MustRegisterFunc("gocalls.size_of_copy", func(b []byte) int64 { Kept = b; return int64(len(b)) })
	selfsame.MustRegisterFunc("gocalls.size_of_read", func(b []byte) int64 { return int64(len(b)) })
	selfsame.MustRegisterFunc("gocalls.own_copies", func(b []byte, n int64) { // the floor of size_of_copy
		for range n {
			Kept = append([]byte{}, b...)
		}
	})
	selfsame.MustRegisterFunc("gocalls.size_of_lent", func(b selfsame.Lent) int64 { return int64(len(b)) })
	selfsame.MustRegisterFunc("gocalls.make_bytes", func(n int64) []byte { return make([]byte, n) })
	selfsame.MustRegisterFunc("gocalls.each", func(f func(int64) (int64, error), n int64) (sum int64, err error) {
		for i := range n {
			v, err := f(i)
			if err != nil {
				return 0, err
			}
			sum += v
		}
		return sum, nil
	})
	selfsame.MustRegisterFunc("gocalls.each_there", func(f func(int64) int64, n int64) (sum int64) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range n {
				sum += f(i)
			}
		}()
		<-done
		return sum
	})
	selfsame.MustRegisterFunc("gocalls.each_bound", eachBound)
	selfsame.MustRegisterFunc("gocalls.each_kept", eachBound, selfsame.KeepGIL())
	selfsame.MustRegisterFunc("gocalls.count", func(n int64) iter.Seq[int64] {
		return func(yield func(int64) bool) {
			for i := range n {
				if !yield(i) {
					return
				}
			}
		}
	})
}
