#!/bin/sh
# A blocking socket of Python's whose descriptor Go takes by net.FileConn raises BlockingIOError in Python from then on.
#
# Versions: Go 1.26.8
#
# Expected: net.FileConn makes a copy of the descriptor, so that Python's socket stays as it was.
#
# Seen: the copy shares the open file, and Go makes that non-blocking. Python's socket still says that it blocks (gettimeout()
# is None, getblocking() True), and recv and accept raise BlockingIOError. os.NewFile alone, and File.Fd of a descriptor that
# was non-blocking, leave the mode. socket.setblocking(True) mends it for Python, and costs Go a thread for each read.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
python_for "3.11 3.12 3.13"
go_library lend <<'G'
import (
	"net"
	"os"
)

var kept []any

//export File
func File(fd C.int) { kept = append(kept, os.NewFile(uintptr(fd), "lent")) }

//export Conn
func Conn(fd C.int) {
	file := os.NewFile(uintptr(fd), "lent")
	conn, err := net.FileConn(file)
	kept = append(kept, file, conn, err)
}
G
"$python" - <<'P'
import ctypes
import os
import socket

from seen import end, seen

library = ctypes.CDLL("./lend.so")
ours, theirs = socket.socketpair()
library.File(ours.fileno())
seen("blocking after os.NewFile", os.get_blocking(ours.fileno()), True)
library.Conn(ours.fileno())
seen("blocking after net.FileConn", os.get_blocking(ours.fileno()), False)
seen("what Python's socket says", (ours.gettimeout(), ours.getblocking()), (None, True))
seen("recv", lambda: ours.recv(1), "BlockingIOError")
end()
P
