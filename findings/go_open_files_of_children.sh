#!/bin/sh
# Loading a Go library raises the process's limit of open files, and children that Python starts inherit it; those that
# Go starts do not.
#
# Versions: Go 1.26.8
#
# Expected: a library leaves the limits of its process alone.
#
# Seen: the soft limit goes from 1024 to the hard limit less one by the load of any library that uses package os or
# syscall. Children of subprocess begin with it: programs with select(), whose sets end at 1024, meet descriptors beyond,
# and those that close all descriptors up to the limit take long. Go itself restores the former limit for its children.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
python_for "3.11 3.12 3.13"
go_library files <<'G'
import "os/exec"

//export Child
func Child() *C.char {
	out, _ := exec.Command("sh", "-c", "ulimit -Sn").Output()
	return C.CString(string(out))
}
G
"$python" - <<'P'
import ctypes
import resource
import subprocess

from seen import end, seen

resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 4096))
library = ctypes.CDLL("./files.so")
library.Child.restype = ctypes.c_char_p
by_go = int(library.Child())
seen("limits after the load", resource.getrlimit(resource.RLIMIT_NOFILE), (4095, 4096))
by_python = int(subprocess.run(["sh", "-c", "ulimit -Sn"], capture_output=True, check=True).stdout)
seen("soft limit of Python's child and of Go's", (by_python, by_go), (4095, 1024))
end()
P
