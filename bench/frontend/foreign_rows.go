package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen"
)

// Counter is the handle of the C++ class of testdata/native.cc, as `selfsame-ffi bind --go` writes it.
type Counter struct{ gen.ObjectHandle }

var _ = gen.Declare[Counter]("bench.Counter")

var (
	callCounterMake  = gen.MethodOf[func() (*Counter, error)]("bench.Counter", "make")
	callCounterAdd   = gen.MethodOf[func(*Counter, int64, int64, bool) (int64, error)]("bench.Counter", "add")
	callCounterLabel = gen.MethodOf[func(*Counter, string, int64) (int64, error)]("bench.Counter", "label")
	fieldTotal       = gen.AccessorOf[int64]("bench.Counter", "total")
	callAddTensors   = gen.GlobalOf[func(*selfsame.Tensor, *selfsame.Tensor, *selfsame.Tensor) error]("bench.add_tensors")
	callLoopAdd      = gen.GlobalOf[func(*Counter, int64) (int64, error)]("bench.loop_add")
	callFloorAdd     = gen.GlobalOf[func(*Counter) (int64, error)]("bench.floor_add")
	callFloorTensors = gen.GlobalOf[func(*selfsame.Tensor, *selfsame.Tensor, *selfsame.Tensor) (int64, error)]("bench.floor_add_tensors")
	callLoopLabel    = gen.GlobalOf[func(*Counter, string, int64) (int64, error)]("bench.loop_label")
	callLoopTotal    = gen.GlobalOf[func(*Counter, int64) (int64, error)]("bench.loop_total")
	callLoopTensors  = gen.GlobalOf[func(*selfsame.Tensor, *selfsame.Tensor, *selfsame.Tensor, int64) error]("bench.loop_add_tensors")
)

func (h *Counter) Add(a, b int64, twice bool) (int64, error) {
	return gen.Invoke4(callCounterAdd, h, a, b, twice)
}

func (h *Counter) Label(text string, n int64) (int64, error) {
	return gen.Invoke3(callCounterLabel, h, text, n)
}

func (h *Counter) Total() int64 { return fieldTotal.MustGet(h) }

// loadNative compiles the C++ library with the headers in the folder TVM_FFI_INCLUDE, and loads it.
func loadNative() error {
	include := os.Getenv("TVM_FFI_INCLUDE")
	if include == "" {
		return fmt.Errorf("TVM_FFI_INCLUDE is not set")
	}
	folder, err := os.MkdirTemp("", "selfsame-bench-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	library := filepath.Join(folder, "libnative.so")
	out, err := exec.Command("g++", "-std=c++17", "-O2", "-DNDEBUG", "-shared", "-fPIC", "-isystem", include, "-o", library,
		"bench/frontend/testdata/native.cc").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	_, err = selfsame.LoadModule(library)
	return err
}

// foreignRows compare calls of a C++ library with those that C++ makes through tvm::ffi::Function.
func foreignRows() []row {
	if err := loadNative(); err != nil {
		fmt.Fprintf(os.Stderr, "no rows for a C++ library: %v\n", err)
		return nil
	}
	const peer, floor = "C++, tvm::ffi::Function", "the floor: a cgo call around C++'s call"
	counter := must(gen.Invoke0(callCounterMake))
	add := must(selfsame.GetFunc("bench.add_tensors"))
	calleeOf := gen.CalleeOf[func(*selfsame.Tensor, *selfsame.Tensor, *selfsame.Tensor) error](add)
	boundMethod := must(selfsame.Bind[func(*selfsame.Tensor, *selfsame.Tensor, *selfsame.Tensor) error](add))
	floorAdd := must(gen.Invoke1(callFloorAdd, counter))
	addNumbers := func(n int) {
		for i := range n {
			sinkInt += must(counter.Add(int64(i), 1, false))
		}
	}
	loopAdd := func(n int) { sinkInt += must(gen.Invoke2(callLoopAdd, counter, int64(n))) }
	const text = "a text of thirty-two characters."
	rows := []row{
		{"a C++ method of three arguments: counter.Add(a, b, c)", peer, "1.3", 50_000, addNumbers, loopAdd},
		{"a C++ method of three arguments, the floor", peer, "", 50_000, func(n int) { sinkInt += callsAt(floorAdd, n) }, loopAdd},
		{"a C++ method of three arguments: counter.Add(a, b, c)", floor, "", 50_000, addNumbers,
			func(n int) { sinkInt += callsAt(floorAdd, n) }},
		{"a C++ method of a text and a number", peer, "", 50_000,
			func(n int) {
				for i := range n {
					sinkInt += must(counter.Label(text, int64(i)))
				}
			},
			func(n int) { sinkInt += must(gen.Invoke3(callLoopLabel, counter, text, int64(n))) }},
		{"a field of a C++ class: counter.Total()", "C++, FieldGetter", "", 50_000,
			func(n int) {
				for range n {
					sinkInt += counter.Total()
				}
			},
			func(n int) { sinkInt += must(gen.Invoke2(callLoopTotal, counter, int64(n))) }},
	}
	for _, size := range []int{64, 1024, 16384} {
		a, b, c := must(selfsame.NewTensor(make([]float32, size))), must(selfsame.NewTensor(make([]float32, size))), must(selfsame.NewTensor(make([]float32, size)))
		loop := func(n int) { check(gen.Do4(callLoopTensors, a, b, c, int64(n))) }
		n := 5_000_000 / (size + 100)
		ours := func(n int) {
			for range n {
				check(gen.Do3(callAddTensors, a, b, c))
			}
		}
		name := fmt.Sprintf("a kernel of three tensors of %d float32", size)
		rows = append(rows, row{name, peer, "1.2", n, ours, loop})
		if size == 64 {
			floorTensors := must(gen.Invoke3(callFloorTensors, a, b, c))
			lowest := func(n int) { sinkInt += callsAt(floorTensors, n) }
			rows = append(rows, row{name + ", the floor", peer, "", n, lowest, loop}, row{name, floor, "", n, ours, lowest})
			rows = append(rows, row{fmt.Sprintf("the same, of %d, through Bind", size), peer, "", n,
				func(n int) {
					for range n {
						check(boundMethod(a, b, c))
					}
				}, loop})
			rows = append(rows, row{fmt.Sprintf("the same, of %d, through CalleeOf", size), peer, "", n,
				func(n int) {
					for range n {
						check(gen.Do3(calleeOf, a, b, c))
					}
				}, loop})
			rows = append(rows, row{fmt.Sprintf("the same, of %d, through f.Call", size), peer, "", n,
				func(n int) {
					for range n {
						must(add.Call(a, b, c))
					}
				}, loop})
		}
	}
	return rows
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
