package tvm_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/tvm"
)

// The tests with TVM are those of `make classify`, which sets these: the path of libtvm_runtime.so, the folder that
// examples/classify/model.py filled, and host and port of an RPC server.
var (
	runtimeLibrary = os.Getenv("SELFSAME_TVM_RUNTIME")
	modelFolder    = os.Getenv("SELFSAME_TVM_MODEL")
)

const side, features = 16, 1024

func must[T any](t *testing.T, value T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("got the error %v, want %q in it", err, part)
		}
	}
}

// executable returns the compiled network.
func executable(t *testing.T) *tvm.Executable {
	t.Helper()
	if runtimeLibrary == "" {
		t.Skip("needs TVM: run by make classify")
	}
	testenv.OK(t, tvm.Load(runtimeLibrary))
	e, err := tvm.LoadExecutable(filepath.Join(modelFolder, "model.so"))
	return must(t, e, err)
}

func newVM(t *testing.T) *tvm.VM {
	t.Helper()
	vm, err := executable(t).NewVM(tvm.Config{})
	vm = must(t, vm, err)
	t.Cleanup(vm.Release)
	return vm
}

// pictures returns the pictures that Python drew, as the network takes them.
func pictures(t *testing.T) *selfsame.Tensor {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(modelFolder, "pictures.bin"))
	raw = must(t, raw, err)
	input := make([]float32, len(raw))
	for i, p := range raw {
		input[i] = float32(p) / 255
	}
	tensor, err := selfsame.NewTensor(input, len(raw)/(side*side), 1, side, side)
	return must(t, tensor, err)
}

// wanted returns the probabilities that Python got for them.
func wanted(t *testing.T) []float32 {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(modelFolder, "probabilities.bin"))
	raw = must(t, raw, err)
	numbers := make([]float32, len(raw)/4)
	for i := range numbers {
		numbers[i] = math.Float32frombits(binary.NativeEndian.Uint32(raw[4*i:]))
	}
	return numbers
}

func elements(t *testing.T, tensor *selfsame.Tensor) []float32 {
	t.Helper()
	numbers, err := selfsame.Elements[float32](tensor)
	return slices.Clone(must(t, numbers, err))
}

func call[R any](t *testing.T, vm *tvm.VM, name string, args ...any) R {
	t.Helper()
	f, err := vm.Func(name)
	out, err := selfsame.CallAs[R](must(t, f, err), args...)
	return must(t, out, err)
}

func TestWithoutTVM(t *testing.T) {
	if runtimeLibrary != "" {
		t.Skip("TVM is there")
	}
	const advice = "TVM's runtime is not loaded, or another version; call tvm.Load with the path of libtvm_runtime.so"
	wantError(t, tvm.Load(), advice)
	wantError(t, tvm.Load("libtvm_runtime.so"), "LoadModule: libtvm_runtime.so", "file does not exist")
	_, err := tvm.LoadExecutable("model.so")
	wantError(t, err, advice)
	_, err = tvm.NumThreads()
	wantError(t, err, "runtime.NumThreads", advice)
	_, err = tvm.Connect("localhost", 9090, "", time.Minute)
	wantError(t, err, "rpc.Connect", advice)
	_, err = tvm.LoadParams("head.params")
	wantError(t, err, advice)
	_, err = tvm.NewExecutable(nil)
	wantError(t, err, "NewExecutable", "not an executable of Relax")
	_, err = tvm.Empty([]int{-1}, selfsame.DataTypeOf[float32](), selfsame.CPU)
	wantError(t, err, "Empty: dimension 0 of the shape [-1] is negative")
	_, err = tvm.Time(nil, "forward", selfsame.CPU, tvm.Trials{Number: -1})
	wantError(t, err, "Time", "negative")
}

func TestFunctionsOfAVirtualMachine(t *testing.T) {
	vm, input, want := newVM(t), pictures(t), wanted(t)
	if got := elements(t, call[*selfsame.Tensor](t, vm, "forward", input)); !slices.Equal(got, want) {
		t.Errorf("forward: other numbers than in Python: %v...", got[:10])
	}
	seen := call[*selfsame.Tensor](t, vm, "features", input)
	if shape := seen.Shape(); !slices.Equal(shape, []int{len(want) / 10, features}) {
		t.Errorf("features have the shape %v", shape)
	}
	params, err := tvm.LoadParams(filepath.Join(modelFolder, "head.params"))
	params = must(t, params, err)
	if got := elements(t, call[*selfsame.Tensor](t, vm, "head", seen, params["weight"], params["bias"])); !slices.Equal(got, want) {
		t.Error("features and head with weights of a file give other numbers than forward")
	}
	both := call[*selfsame.Array[*selfsame.Tensor]](t, vm, "both", input)
	if !slices.Equal(elements(t, both.At(0)), elements(t, seen)) || !slices.Equal(elements(t, both.At(1)), want) {
		t.Error("both gives other numbers than features and forward")
	}
	names, err := vm.Params("head")
	if names = must(t, names, err); !slices.Equal(names, []string{"features", "weight", "bias"}) {
		t.Errorf("the parameters of head are %v", names)
	}
	_, err = vm.Func("nothing")
	wantError(t, err, "VM.Func: no function nothing")
	forward, err := vm.Func("forward")
	_, err = must(t, forward, err).Call(params["bias"])
	wantError(t, err, "forward")
	path := filepath.Join(t.TempDir(), "again.params")
	testenv.OK(t, tvm.SaveParams(path, params))
	again, err := tvm.LoadParams(path)
	if again = must(t, again, err); !slices.Equal(elements(t, again["weight"]), elements(t, params["weight"])) || len(again) != 2 {
		t.Errorf("parameters that were saved and loaded: %v", again)
	}
}

func TestInputsAreKept(t *testing.T) {
	vm, input, want := newVM(t), pictures(t), wanted(t)
	testenv.OK(t, vm.SetInput("both", input))
	out, err := vm.Invoke("both")
	parts, ok := must(t, out, err).([]any)
	if !ok || len(parts) != 2 || !slices.Equal(elements(t, parts[1].(*selfsame.Tensor)), want) {
		t.Errorf("both gives %v", out)
	}
	testenv.OK(t, vm.Save("forward", "these", input))
	f, err := vm.Module().Func("these")
	saved, err := selfsame.CallAs[*selfsame.Tensor](must(t, f, err))
	if !slices.Equal(elements(t, must(t, saved, err)), want) {
		t.Error("a saved function gives other numbers")
	}
}

func TestTimesAndProfiles(t *testing.T) {
	vm, input := newVM(t), pictures(t)
	times, err := vm.Time("forward", tvm.Trials{Number: 2, Repeat: 3}, input)
	if times = must(t, times, err); len(times) != 3 || slices.Min(times) <= 0 {
		t.Errorf("three measurements: %v", times)
	}
	_, err = vm.Time("nothing", tvm.Trials{})
	wantError(t, err, "nothing")
	costs, err := vm.Profile("forward", input)
	costs = must(t, costs, err)
	calls, symbols := 0, []string{}
	for i, cost := range costs {
		calls += cost.Calls
		symbols = append(symbols, cost.Symbol)
		if cost.Calls < 1 || cost.Total <= 0 || i > 0 && cost.Total > costs[i-1].Total {
			t.Errorf("cost %d: %+v", i, cost)
		}
	}
	if !slices.ContainsFunc(symbols, func(s string) bool { return strings.Contains(s, "conv2d") }) || calls < 4 {
		t.Errorf("%d calls of %v", calls, symbols)
	}
}

func TestDevicesAndAllocators(t *testing.T) {
	e := executable(t)
	vm, err := e.NewVM(tvm.Config{Devices: []selfsame.Device{selfsame.CPU}, Allocator: tvm.Naive})
	vm = must(t, vm, err)
	defer vm.Release()
	if got := elements(t, call[*selfsame.Tensor](t, vm, "forward", pictures(t))); !slices.Equal(got, wanted(t)) {
		t.Error("with the naive allocator, other numbers")
	}
	_, err = e.NewVM(tvm.Config{Allocator: 7})
	wantError(t, err, "NewVM: allocator 7")
	metal, err := selfsame.ParseDevice("metal:3")
	metal = must(t, metal, err)
	_, err = e.NewVM(tvm.Config{Devices: []selfsame.Device{metal}})
	wantError(t, err, "metal")
	has, err := tvm.HasDevice(metal)
	if must(t, has, err) {
		t.Error("there is a device of metal")
	}
	has, err = tvm.HasDevice(selfsame.CPU)
	if !must(t, has, err) {
		t.Error("there is no CPU")
	}
	if n, err := tvm.NumThreads(); must(t, n, err) < 1 {
		t.Errorf("%d threads", n)
	}
	_, err = tvm.NewExecutable(vm.Module())
	wantError(t, err, "not an executable")
	for what, of := range map[string]func() (string, error){"stats": e.Stats, "text": e.Text} {
		text, err := of()
		if !strings.Contains(must(t, text, err), "forward") {
			t.Errorf("%s: %s", what, text)
		}
	}
}

func TestMachinesOfGoroutines(t *testing.T) {
	e := executable(t)
	input, want := pictures(t), wanted(t)
	var done sync.WaitGroup
	for range 8 {
		vm, err := e.NewVM(tvm.Config{})
		vm = must(t, vm, err)
		done.Add(1)
		go func() {
			defer done.Done()
			defer vm.Release()
			for range 2 {
				if !slices.Equal(elements(t, call[*selfsame.Tensor](t, vm, "forward", input)), want) {
					t.Error("other numbers than in Python")
				}
			}
		}()
	}
	done.Wait()
}

// A pool's machines give what one machine gives; each call has a machine and its thread to itself.
func TestPoolsServeManyCallers(t *testing.T) {
	e := executable(t)
	input, want := pictures(t), wanted(t)
	pool, err := tvm.NewPool(e, tvm.Config{}, 2, func(vm *tvm.VM) (*selfsame.Function, error) { return vm.Func("forward") })
	pool = must(t, pool, err)
	var done sync.WaitGroup
	for range 8 {
		done.Add(1)
		go func() {
			defer done.Done()
			err := pool.Do(t.Context(), func(f *selfsame.Function) error {
				out, err := selfsame.CallAs[*selfsame.Tensor](f, input)
				if err == nil && !slices.Equal(elements(t, out), want) {
					t.Error("other numbers than in Python")
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}()
	}
	done.Wait()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	err = pool.Do(t.Context(), func(*selfsame.Function) error {
		return pool.Do(t.Context(), func(*selfsame.Function) error { // both machines work
			return pool.Do(ended, func(*selfsame.Function) error { return nil })
		})
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	func() {
		defer func() {
			if recover() != "broken" {
				t.Error("the panic is lost")
			}
		}()
		_ = pool.Do(t.Context(), func(*selfsame.Function) error { panic("broken") })
	}()
	if err := errors.Join(pool.Close(), pool.Close()); err != nil {
		t.Error(err)
	}
	if err := pool.Do(t.Context(), func(*selfsame.Function) error { return nil }); !errors.Is(err, tvm.ErrPoolClosed) {
		t.Errorf("after Close: %v", err)
	}
	_, err = tvm.NewPool(e, tvm.Config{}, 2, func(vm *tvm.VM) (*selfsame.Function, error) { return vm.Func("nothing") })
	wantError(t, err, "nothing")
}
