package ownfile

import (
	"fmt"
	"net"
	"syscall"
)

// peer returns the user of the process at the other end of a Unix socket.
func peer(connection net.Conn) (int, error) {
	unix, ok := connection.(*net.UnixConn)
	if !ok {
		return -1, fmt.Errorf("expected a Unix socket, got %T", connection)
	}
	raw, err := unix.SyscallConn()
	if err != nil {
		return -1, err
	}
	var found *syscall.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) {
		found, failed = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return -1, err
	}
	return int(found.Uid), nil
}
