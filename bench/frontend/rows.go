package main

import (
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/gen"
	"github.com/selfsame-ffi/selfsame/gen/overlay"
)

// Point is the class that the rows use.
type Point struct {
	selfsame.Object
	X, Y float64
	Next selfsame.Opt[Point]
}

var points = selfsame.MustRegister[Point]("bench.Point")

func init() {
	add := func(a, b int64) int64 { return a + b }
	selfsame.MustRegisterFunc("bench.reflected_add", add)
	// As selfsame-ffi build writes it. The func type has a name, so that the func above is without an adapter.
	type adapted func(a, b int64) int64
	overlay.Adapter(func(fn adapted, c overlay.AdaptedCall) error {
		a, err := overlay.AdaptedArgument[int64](c, 0)
		if err != nil {
			return err
		}
		b, err := overlay.AdaptedArgument[int64](c, 1)
		if err != nil {
			return err
		}
		return overlay.AdaptedResult(c, fn(a, b))
	})
	selfsame.MustRegisterFunc("bench.adapted_add", adapted(add))
}

// must panics on an error that cannot occur here.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Results that the compiler must not drop.
var (
	//lint:ignore U1000 written only
	sinkFloat float64
	//lint:ignore U1000 written only
	sinkInt int64
)

func rows() []row {
	rows := append(objectRows(), callRows()...)
	rows = append(rows, foreignRows()...)
	rows = append(rows, containerRows()...)
	return append(rows, hostRows()...)
}

func objectRows() []row {
	h := points.New(func(p *Point) { p.X = 1 })
	holder := points.New(func(p *Point) { p.Next.Set(h) })
	plain := newPlainPoint()
	var mu sync.Mutex
	known := map[unsafe.Pointer]*plainPoint{unsafe.Pointer(plain): plain}
	return []row{
		{"read a field: h.Get().X", "plain Go, off-heap memory", "1.2", 1_000_000,
			func(n int) {
				sum := 0.0
				for range n {
					sum += h.Get().X
				}
				sinkFloat = sum
			},
			func(n int) {
				sum := 0.0
				for range n {
					sum += plain.X
				}
				sinkFloat = sum
			}},
		{"take and drop a reference", "two atomic additions, off-heap memory", "1.2", 1_000_000,
			func(n int) {
				object := unsafe.Pointer(h.Get())
				for range n {
					abi.IncRef(object)
					abi.DropShared(object)
				}
			},
			func(n int) {
				for range n {
					atomic.AddUint64(&plain.Counts, 1)
					atomic.AddUint64(&plain.Counts, ^uint64(0))
				}
			}},
		{"make and release an object", "C malloc and free through cgo", "1.0", 20_000,
			func(n int) {
				for range n {
					points.New(nil).Release()
				}
			},
			mallocAndFree},
		{"fetch a known handle from a field", "a Go map behind a mutex", "", 200_000,
			func(n int) {
				p := holder.Get()
				for range n {
					if p.Next.Get() != h {
						panic("another handle")
					}
				}
			},
			func(n int) {
				for range n {
					mu.Lock()
					p := known[unsafe.Pointer(plain)]
					mu.Unlock()
					if p != plain {
						panic("another object")
					}
				}
			}},
	}
}

func callRows() []row {
	if !registerNativeAdd() {
		panic("the native function could not be registered")
	}
	add := must(selfsame.GetFunc("bench.native_add"))
	callee := gen.CalleeOf[func(a, b int64) (int64, error)](add)
	overlay.Binder(func(f *overlay.Bound) func(a, b int64) (int64, error) { // as a build adds it
		return func(a, b int64) (int64, error) { return overlay.Call2[int64](f, a, b) }
	})
	bound := must(selfsame.Bind[func(a, b int64) (int64, error)](add))
	return []row{
		{"call a native function: f.Call(a, b)", "bare cgo call", "", 50_000,
			func(n int) {
				for i := range n {
					sinkInt += must(add.Call(int64(i), int64(1))).(int64)
				}
			},
			func(n int) { sinkInt += bareCalls(n) }},
		{"call a native function, Bind: add(a, b)", "bare cgo call", "", 50_000,
			func(n int) {
				for i := range n {
					sinkInt += must(bound(int64(i), 1))
				}
			},
			func(n int) { sinkInt += bareCalls(n) }},
		{"call a native function, Invoke2(add, a, b)", "bare cgo call", "1.5", 50_000,
			func(n int) {
				for i := range n {
					sinkInt += must(gen.Invoke2(callee, int64(i), 1))
				}
			},
			func(n int) { sinkInt += bareCalls(n) }},
		{"C calls a Go func, by an adapter", "bare cgo callback", "1.6", 20_000,
			func(n int) { ffiCallbacks("bench.adapted_add", n) },
			bareCallbacks},
		{"C calls a Go func, by reflection", "bare cgo callback", "", 20_000,
			func(n int) { ffiCallbacks("bench.reflected_add", n) },
			bareCallbacks},
	}
}

// containers are the containers of the container rows, made when the first of these rows runs.
type containers struct {
	plain    []int64
	numbers  map[int64]int64
	names    map[string]int64
	keys     []string
	array    *selfsame.Array[int64]
	byNumber *selfsame.Map[int64, int64]
	byName   *selfsame.Map[string, int64]
}

const size = 1_000_000

var made = sync.OnceValue(func() *containers {
	c := &containers{plain: make([]int64, size), numbers: make(map[int64]int64, size), names: make(map[string]int64, 1000)}
	for i := range c.plain {
		c.plain[i] = int64(i)
		c.numbers[int64(i)] = int64(i)
		if i < 1000 {
			c.keys = append(c.keys, "a key with number "+strconv.Itoa(i))
			c.names[c.keys[i]] = int64(i)
		}
	}
	c.array = must(selfsame.NewArray(c.plain))
	c.byNumber, c.byName = must(selfsame.NewMap(c.numbers)), must(selfsame.NewMap(c.names))
	return c
})

func containerRows() []row {
	return []row{
		{"iterate an Array[int64] of 1,000,000", "a Go slice", "", size,
			func(n int) {
				sum := int64(0)
				for _, v := range made().array.All() {
					sum += v
				}
				sinkInt = sum
			},
			func(n int) {
				sum := int64(0)
				for _, v := range made().plain {
					sum += v
				}
				sinkInt = sum
			}},
		{"append 1,000,000 int64 to a List[int64]", "a Go slice", "", size,
			func(n int) {
				list := must(selfsame.NewList[int64](nil))
				for i := range n {
					list.Append(int64(i))
				}
				list.Release()
			},
			func(n int) {
				var list []int64
				for i := range n {
					list = append(list, int64(i))
				}
				sinkInt = int64(len(list))
			}},
		{"look up in a Map[int64, int64] of 1,000,000", "a Go map", "", 200_000,
			func(n int) {
				c := made()
				for i := range n {
					v, _ := c.byNumber.Get(int64(i) * 7919 % size)
					sinkInt += v
				}
			},
			func(n int) {
				c := made()
				for i := range n {
					sinkInt += c.numbers[int64(i)*7919%size]
				}
			}},
		{"look up in a Map[string, int64] of 1,000", "a Go map", "", 200_000,
			func(n int) {
				c := made()
				for i := range n {
					v, _ := c.byName.Get(c.keys[i*7%1000])
					sinkInt += v
				}
			},
			func(n int) {
				c := made()
				for i := range n {
					sinkInt += c.names[c.keys[i*7%1000]]
				}
			}},
	}
}
