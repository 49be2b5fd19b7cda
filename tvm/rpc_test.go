package tvm_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/tvm"
)

func TestSessions(t *testing.T) {
	executable(t) // loads the runtime
	content, err := os.ReadFile(filepath.Join(modelFolder, "model.so"))
	content = must(t, content, err)
	host, text, err := net.SplitHostPort(os.Getenv("SELFSAME_TVM_RPC"))
	host = must(t, host, err)
	port, err := strconv.Atoi(text)
	port = must(t, port, err)
	session, err := tvm.Connect(host, port, "", time.Minute)
	session = must(t, session, err)
	defer session.Close()
	testenv.OK(t, session.Upload("model.so", content))
	back, err := session.Download("model.so")
	if !slices.Equal(must(t, back, err), content) {
		t.Error("another file came back")
	}
	module, err := session.LoadModule("model.so")
	remote, err := tvm.NewExecutable(must(t, module, err))
	remote = must(t, remote, err)
	device := session.Device(selfsame.CPU)
	vm, err := remote.NewVM(tvm.Config{Devices: []selfsame.Device{device}})
	vm = must(t, vm, err)
	input, err := tvm.OnDevice(pictures(t), device)
	input = must(t, input, err)
	if _, err := selfsame.Elements[float32](input); err == nil {
		t.Error("Go reads the memory of another process")
	}
	forward, err := vm.Module().Func("forward")
	out, err := selfsame.CallAs[*selfsame.Tensor](must(t, forward, err), input)
	here, err := tvm.OnDevice(must(t, out, err), selfsame.CPU)
	if !slices.Equal(elements(t, must(t, here, err)), wanted(t)) {
		t.Error("the server gives other numbers")
	}
	times, err := tvm.Time(vm.Module(), "forward", device, tvm.Trials{Number: 1, Repeat: 2}, input)
	if times = must(t, times, err); len(times) != 2 || slices.Min(times) <= 0 {
		t.Errorf("two measurements: %v", times)
	}
	_, err = session.Func("nothing")
	wantError(t, err, "nothing")
	testenv.OK(t, session.Remove("model.so"))
	_, err = session.Download("model.so")
	wantError(t, err, "model.so")
}

func TestTheSessionOfThisProcess(t *testing.T) {
	executable(t)
	session, err := tvm.LocalSession()
	session = must(t, session, err)
	defer session.Close()
	f, err := session.Func("runtime.NumThreads")
	there, err := must(t, f, err).Call()
	here, err2 := tvm.NumThreads()
	if must(t, there, err) != int64(must(t, here, err2)) {
		t.Errorf("%v threads there, %d here", there, here)
	}
	_, err = tvm.Connect("localhost", 1, "", 0)
	wantError(t, err, "tvm: Connect: localhost:1: ")
}

// A server that accepts and says nothing keeps ConnectContext no longer than its context.
func TestContextsEndConnecting(t *testing.T) {
	executable(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, cancel := context.WithCancel(t.Context())
	accepted := make(chan net.Conn, 1)
	go func() {
		conn, _ := listener.Accept()
		cancel()
		accepted <- conn
	}()
	_, err = tvm.ConnectContext(ctx, "127.0.0.1", listener.Addr().(*net.TCPAddr).Port, "", 0)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("expected context.Canceled, got %v", err)
	}
	if conn := <-accepted; conn != nil {
		conn.Close()
	}
}
