package tvm_test

import (
	"fmt"
	"log"
	"time"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/tvm"
)

func Example() {
	if err := tvm.Load("libtvm_runtime.so"); err != nil {
		log.Fatal(err)
	}
	executable, err := tvm.LoadExecutable("model.so")
	if err != nil {
		log.Fatal(err)
	}
	vm, err := executable.NewVM(tvm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	forward, err := vm.Func("forward")
	if err != nil {
		log.Fatal(err)
	}
	pictures, err := selfsame.NewTensor(make([]float32, 256), 1, 1, 16, 16)
	if err != nil {
		log.Fatal(err)
	}
	out, err := selfsame.CallAs[*selfsame.Tensor](forward, pictures)
	if err != nil {
		log.Fatal(err)
	}
	probabilities, err := selfsame.Elements[float32](out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(probabilities)
}

func ExampleVM_Profile() {
	var vm *tvm.VM
	var pictures *selfsame.Tensor

	costs, err := vm.Profile("forward", pictures)
	if err != nil {
		log.Fatal(err)
	}
	for _, cost := range costs {
		fmt.Println(cost.Symbol, cost.Calls, cost.Total)
	}
	times, err := vm.Time("forward", tvm.Trials{Number: 100, Repeat: 3}, pictures)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(times) // three means
}

func ExampleExecutable_NewVM() {
	var executable *tvm.Executable

	cuda, err := selfsame.ParseDevice("cuda:0")
	if err != nil {
		log.Fatal(err)
	}
	vm, err := executable.NewVM(tvm.Config{Devices: []selfsame.Device{cuda}})
	if err != nil {
		log.Fatal(err)
	}
	pictures, err := selfsame.NewTensor(make([]float32, 256), 1, 1, 16, 16)
	if err != nil {
		log.Fatal(err)
	}
	there, err := tvm.OnDevice(pictures, cuda)
	if err != nil {
		log.Fatal(err)
	}
	forward, err := vm.Func("forward")
	if err != nil {
		log.Fatal(err)
	}
	out, err := selfsame.CallAs[*selfsame.Tensor](forward, there)
	if err != nil {
		log.Fatal(err)
	}
	here, err := tvm.OnDevice(out, selfsame.CPU)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(here.Shape())
}

func ExampleConnect() {
	var model []byte // of a library that was compiled for the processor of the server

	session, err := tvm.Connect("192.0.2.1", 9090, "", time.Minute)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	if err := session.Upload("model.so", model); err != nil {
		log.Fatal(err)
	}
	module, err := session.LoadModule("model.so")
	if err != nil {
		log.Fatal(err)
	}
	executable, err := tvm.NewExecutable(module)
	if err != nil {
		log.Fatal(err)
	}
	device := session.Device(selfsame.CPU)
	vm, err := executable.NewVM(tvm.Config{Devices: []selfsame.Device{device}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(vm.Params("forward"))
}
