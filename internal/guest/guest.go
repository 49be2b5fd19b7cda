// Package guest makes the Go runtime of a shared library leave the process that loads it as it was. That is so for signals that
// its threads take, the limit of open files, and the variables that set Go's runtime up. The package has nothing to call: a
// library imports it. docs/threads-fork-signals.md says what users see of it.
package guest

// #cgo CFLAGS: -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Wno-unused-variable -O2
// void ss_guest_give_back_files(void);
// const char* ss_guest_setting(int which);
import "C"

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// settings are the variables that Go's runtime reads before any code of Go's runs, in the order of host.c.
var settings = []struct {
	name string
	set  func(value string)
}{
	{"GOMAXPROCS", setProcs},
	{"GOGC", setPercent},
	{"GOMEMLIMIT", setLimit},
	{"GOTRACEBACK", debug.SetTraceback},
}

// Go has read the environment that the process began with. Where the one at the load differs, that one holds.
func init() {
	C.ss_guest_give_back_files()
	for i, setting := range settings {
		now := C.ss_guest_setting(C.int(i))
		if now == nil {
			continue
		}
		if value := C.GoString(now); value != os.Getenv(setting.name) {
			setting.set(value)
		}
	}
}

// As in Go's runtime, a text that is no value changes nothing.
func setProcs(value string) {
	if n, err := strconv.ParseInt(value, 10, 32); err == nil && n > 0 {
		runtime.GOMAXPROCS(int(n))
	}
}

func setPercent(value string) {
	if value == "off" {
		debug.SetGCPercent(-1)
	} else if n, err := strconv.ParseInt(value, 10, 32); err == nil {
		debug.SetGCPercent(int(n))
	}
}

func setLimit(value string) {
	if n, ok := bytesOf(value); ok {
		debug.SetMemoryLimit(n)
	}
}

// bytesOf reads a number of bytes as GOMEMLIMIT has it: 512, 512B, 64MiB, off.
func bytesOf(value string) (int64, bool) {
	if value == "off" {
		return math.MaxInt64, true
	}
	number, shift := strings.TrimSuffix(value, "B"), 0
	if number != value && strings.HasSuffix(number, "i") {
		unit := strings.IndexByte("KMGT", number[max(0, len(number)-2)])
		if unit < 0 {
			return 0, false
		}
		number, shift = number[:len(number)-2], 10*(unit+1)
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>shift {
		return 0, false
	}
	return n << shift, true
}
