// Package main is a library with Go in it, which the program use.c opens.
package main

// #include <stdint.h>
// typedef int64_t (*Callback)(int64_t);
// static int64_t call(Callback f, int64_t x) { return f(x); }
import "C"

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"syscall"
	"unsafe"
)

// HasArguments reports whether Go's arguments are those of the process.
//
//export HasArguments
func HasArguments(count C.int, arguments **C.char) C.int {
	for i, argument := range unsafe.Slice(arguments, count) {
		if int(count) != len(os.Args) || os.Args[i] != C.GoString(argument) {
			return 0
		}
	}
	return 1
}

// SeesProcess reports whether Go has the environment and what the kernel says of the machine.
//
//export SeesProcess
func SeesProcess() C.int {
	if os.Getenv("SELFSAME_MUSL_TEST") == "here" && os.Getpagesize() == syscall.Getpagesize() && os.Getpagesize() > 0 {
		return 1
	}
	return 0
}

// Sum works on n goroutines, and returns the sum of 0 to n-1.
//
//export Sum
func Sum(n C.int64_t) C.int64_t {
	var group sync.WaitGroup
	parts := make([]int, n)
	for i := range parts {
		group.Add(1)
		go func() {
			defer group.Done()
			var words []string
			for j := range 100 {
				words = append(words, fmt.Sprint(i+j))
			}
			fmt.Sscan(words[0], &parts[i])
		}()
	}
	group.Wait()
	total := 0
	for _, part := range parts {
		total += part
	}
	return C.int64_t(total)
}

// Call calls C and returns its result plus 1. Its frame makes the stack grow.
//
//export Call
func Call(f C.Callback, x C.int64_t) C.int64_t {
	var frame [4096]byte
	frame[x&4095] = 1
	result := C.call(f, x)
	runtime.KeepAlive(&frame)
	return result + 1
}

// Collect runs the garbage collector.
//
//export Collect
func Collect() { runtime.GC() }

// Recovers reports whether a fault at a null pointer is a panic that is recovered.
//
//export Recovers
func Recovers() (yes C.int) {
	defer func() {
		if err, ok := recover().(runtime.Error); ok && strings.Contains(err.Error(), "nil pointer") {
			yes = 1
		}
	}()
	var null *C.int
	return *null
}

// Preempts starts a goroutine that makes no calls, and stops it for garbage collections.
//
//export Preempts
func Preempts() C.int {
	begun := make(chan bool)
	go func() {
		close(begun)
		for n := 0; ; n++ {
			if n < 0 {
				return
			}
		}
	}()
	<-begun
	for range 20 {
		runtime.GC()
	}
	return 1
}

var profile bytes.Buffer

// BeginProfile makes the kernel interrupt threads that work.
//
//export BeginProfile
func BeginProfile() C.int {
	if pprof.StartCPUProfile(&profile) != nil {
		return 0
	}
	return 1
}

// EndProfile returns how long the profile is.
//
//export EndProfile
func EndProfile() C.int {
	pprof.StopCPUProfile()
	return C.int(profile.Len())
}

// Signalled waits for a signal that it sends to the process.
//
//export Signalled
func Signalled() C.int {
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGUSR1)
	defer signal.Stop(got)
	if syscall.Kill(syscall.Getpid(), syscall.SIGUSR1) != nil {
		return 0
	}
	<-got
	return 1
}

func main() {}
