package tvm_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/tvm"
)

// machineCode compiles CUDA source with nvcc for the GPU of this machine. TVM's runtime asks for it when a library that was
// exported on a machine without a GPU is loaded.
func machineCode(source string) ([]byte, error) {
	folder, err := os.MkdirTemp("", "kernels")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	text, code := filepath.Join(folder, "kernels.cu"), filepath.Join(folder, "kernels.fatbin")
	if err := os.WriteFile(text, []byte(source), 0o600); err != nil {
		return nil, err
	}
	if said, err := exec.Command("nvcc", "-fatbin", "-arch=native", "-O3", text, "-o", code).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("nvcc: %w\n%s", err, said)
	}
	return os.ReadFile(code)
}

// The network runs on a GPU: SELFSAME_TVM_DEVICE names it, such as cuda:0, and the folder has model-cuda.so.
func TestOnAGPU(t *testing.T) {
	name := os.Getenv("SELFSAME_TVM_DEVICE")
	if name == "" {
		t.Skip("needs a GPU")
	}
	testenv.OK(t, tvm.Load(runtimeLibrary, filepath.Join(filepath.Dir(runtimeLibrary), "libtvm_runtime_cuda.so")))
	selfsame.MustRegisterFunc("tvm_callback_cuda_compile", machineCode)
	device, err := selfsame.ParseDevice(name)
	device = must(t, device, err)
	if has, err := tvm.HasDevice(device); !must(t, has, err) {
		t.Fatalf("there is no %s", name)
	}
	e, err := tvm.LoadExecutable(filepath.Join(modelFolder, "model-cuda.so"))
	e = must(t, e, err)
	vm, err := e.NewVM(tvm.Config{Devices: []selfsame.Device{device}})
	vm = must(t, vm, err)
	defer vm.Release()
	input, err := tvm.OnDevice(pictures(t), device)
	input = must(t, input, err)
	if _, err := selfsame.Elements[float32](input); err == nil || input.Device() != device {
		t.Errorf("the tensor is on %v, Elements gives the error %v", input.Device(), err)
	}
	there := call[*selfsame.Tensor](t, vm, "forward", input)
	here, err := tvm.OnDevice(there, selfsame.CPU)
	got, want := elements(t, must(t, here, err)), wanted(t)
	for i := range want { // sums of a GPU have another order
		if math.Abs(float64(got[i]-want[i])) > 1e-4 {
			t.Fatalf("number %d is %v, in Python on the CPU %v", i, got[i], want[i])
		}
	}
	times, err := vm.Time("forward", tvm.Trials{Number: 20, Repeat: 3}, input)
	if times = must(t, times, err); len(times) != 3 || slices.Min(times) <= 0 {
		t.Errorf("three measurements: %v", times)
	}
	costs, err := vm.Profile("forward", input)
	if costs = must(t, costs, err); len(costs) == 0 {
		t.Error("the profile is empty")
	}
	t.Log(times, costs)
}
