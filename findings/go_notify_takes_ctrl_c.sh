#!/bin/sh
# A Go library that calls signal.Notify for os.Interrupt takes Ctrl-C from Python: no KeyboardInterrupt, until it calls Stop.
#
# Versions: Go 1.26.8
#
# Expected: Python, whose handler was there first, gets the signal too, as a library in the same process would leave it.
#
# Seen: Python's handler does not run while signal.getsignal still names it. A later signal.signal of Python's takes the signal
# from Go in turn. After signal.Stop, Python's handler is back. Many Go programs wait for os.Interrupt in a package's init.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
python_for "3.11 3.12 3.13"
go_library notify <<'G'
import (
	"os"
	"os/signal"
)

var arrived = make(chan os.Signal, 8)

//export Notify
func Notify() { signal.Notify(arrived, os.Interrupt) }

//export Stop
func Stop() { signal.Stop(arrived) }

//export Wait
func Wait() { <-arrived }
G
"$python" - <<'P'
import ctypes
import signal

from seen import end, seen

library = ctypes.CDLL("./notify.so")
ran = []
signal.signal(signal.SIGINT, lambda *_: ran.append(1))


def python_runs():
    """Whether Python's handler runs; what Go gets is waited for."""
    before = len(ran)
    signal.raise_signal(signal.SIGINT)
    return len(ran) > before


seen("loaded: Python's handler runs", python_runs(), True)
handler = signal.getsignal(signal.SIGINT)
library.Notify()
seen("after Notify", python_runs(), False)
library.Wait()
seen("getsignal still names Python's", signal.getsignal(signal.SIGINT) is handler, True)
library.Stop()
seen("after Stop", python_runs(), True)
library.Notify()
signal.signal(signal.SIGINT, handler)
seen("after Notify and Python's signal.signal", python_runs(), True)
end()
P
