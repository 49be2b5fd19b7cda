package handles

import "syscall"

// threadID identifies the thread that calls it, among those that live.
func threadID() int { return syscall.Gettid() }
