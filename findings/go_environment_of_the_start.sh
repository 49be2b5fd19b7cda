#!/bin/sh
# A Go library loaded into Python sees the environment that the process was started with, not os.environ, and what it
# sets shows in Python's children, not in os.environ.
#
# Versions: Go 1.26.8
#
# Expected: variables that Python sets before it loads the library are there for Go, as they are for a C library.
#
# Seen: GOMAXPROCS, TZ, GODEBUG and any other that a program sets by os.environ before the import have no effect: the
# runtime reads the block that the kernel gave to the process, while C's getenv has the new value. The other way round,
# os.Setenv calls C's setenv: os.environ does not have the value, and children started by subprocess do.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
python_for "3.11 3.12 3.13"
go_library env <<'G'
import (
	"os"
	"runtime"
	"time"
)

//export Value
func Value() *C.char { return C.CString(os.Getenv("FROM_PYTHON")) }

//export Set
func Set() { os.Setenv("FROM_GO", "set") }

//export Procs
func Procs() C.int { return C.int(runtime.GOMAXPROCS(0)) }

//export Offset
func Offset() C.int {
	_, seconds := time.Date(2026, 1, 1, 0, 0, 0, 0, time.Local).Zone()
	return C.int(seconds)
}
G
env -u TZ GOMAXPROCS=2 "$python" - <<'P'
import ctypes
import os
import subprocess
import time

from seen import end, seen

os.environ |= {"FROM_PYTHON": "set", "GOMAXPROCS": "1", "TZ": "Asia/Tokyo"}
time.tzset()
library = ctypes.CDLL("./env.so")
library.Value.restype = ctypes.c_char_p
getenv = ctypes.CDLL(None).getenv
getenv.restype = ctypes.c_char_p
seen("a variable set before the load, by C and by Go", (getenv(b"FROM_PYTHON"), library.Value()), (b"set", b""))
seen("GOMAXPROCS, set to 1 before the load", library.Procs(), 2)
seen("offset of the zone, in C and in Go", (-time.timezone, library.Offset()), (32400, 0))
library.Set()
child = subprocess.run(["sh", "-c", "echo $FROM_GO"], capture_output=True, text=True, check=True).stdout.strip()
seen("a variable set by Go, in os.environ and in a child", (os.environ.get("FROM_GO"), child), (None, "set"))
end()
P
