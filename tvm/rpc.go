package tvm

import (
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/selfsame-ffi/selfsame"
)

// remoteDevices is by how much the kind of a device of a session is above the kind of the device itself.
const remoteDevices = 128

// Session is a connection to an RPC server of TVM. Any goroutine may use it; its calls run one after the other.
type Session struct {
	module *selfsame.Module
	index  int64 // in the table of sessions
}

// Connect connects to an RPC server, as `python -m tvm.exec.rpc_server` starts one. key is that of the server, "" where it
// has none. The server ends the connection after timeout; 0 is never. It fails when there is no such server, and when the
// server has another key. timeout is not how long Connect waits for the server: see [ConnectContext].
func Connect(host string, port int, key string, timeout time.Duration) (*Session, error) {
	return ConnectContext(context.Background(), host, port, key, timeout)
}

// ConnectContext does what [Connect] does until the context ends; it then fails with the context's error. A connection that is made
// afterwards is ended.
func ConnectContext(ctx context.Context, host string, port int, key string, timeout time.Duration) (*Session, error) {
	type result struct {
		session *Session
		err     error
	}
	done := make(chan result, 1)
	go func() {
		session, err := connect(host, port, key, timeout)
		done <- result{session, err}
	}()
	select {
	case r := <-done:
		return r.session, r.err
	case <-ctx.Done():
		go func() {
			if r := <-done; r.session != nil {
				r.session.Close()
			}
		}()
		return nil, fmt.Errorf("tvm: Connect: %s: %w", net.JoinHostPort(host, strconv.Itoa(port)), ctx.Err())
	}
}

func connect(host string, port int, key string, timeout time.Duration) (*Session, error) {
	if timeout > 0 {
		key += " -timeout=" + strconv.FormatFloat(timeout.Seconds(), 'f', -1, 64)
	}
	module, err := call[*selfsame.Module]("rpc.Connect", host, port, key, false)
	if err != nil {
		return nil, fmt.Errorf("tvm: Connect: %s: %w", net.JoinHostPort(host, strconv.Itoa(port)), err)
	}
	return newSession(module)
}

// LocalSession returns a session whose server is this process, which needs no connection.
func LocalSession() (*Session, error) {
	module, err := call[*selfsame.Module]("rpc.LocalSession")
	if err != nil {
		return nil, err
	}
	return newSession(module)
}

func newSession(module *selfsame.Module) (*Session, error) {
	index, err := call[int64]("rpc.SessTableIndex", module)
	if err != nil {
		return nil, err
	}
	return &Session{module, index}, nil
}

// Func returns a global function of the server. It fails with a ValueError when it has none of that name.
func (s *Session) Func(name string) (*selfsame.Function, error) { return s.module.Func(name) }

// Device returns a device of the server, for [Empty], [OnDevice] and [Time].
func (s *Session) Device(device selfsame.Device) selfsame.Device {
	device.Type += int32(s.index+1) * remoteDevices
	return device
}

// Upload writes a file in the server's temporary folder.
func (s *Session) Upload(name string, content []byte) error {
	_, err := callIn[any](s.module, "tvm.rpc.server.upload", name, content)
	return err
}

// Download reads a file in the server's temporary folder.
func (s *Session) Download(name string) ([]byte, error) {
	return callIn[[]byte](s.module, "tvm.rpc.server.download", name)
}

// Remove removes a file in the server's temporary folder.
func (s *Session) Remove(name string) error {
	_, err := callIn[any](s.module, "tvm.rpc.server.remove", name)
	return err
}

// LoadModule loads a library in the server's temporary folder there. Its functions take tensors on devices of the session;
// [NewExecutable] takes it when it is an executable.
func (s *Session) LoadModule(name string) (*selfsame.Module, error) {
	return call[*selfsame.Module]("rpc.LoadRemoteModule", s.module, name)
}

var _ io.Closer = (*Session)(nil)

// Close releases the session. The connection ends when its modules, functions and tensors are released, too. It returns nil.
func (s *Session) Close() error {
	s.module.Release()
	return nil
}
