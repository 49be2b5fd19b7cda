package testenv

import (
	"context"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// patience is the time after which a program of the tests counts as hung.
const patience = 2 * time.Hour

// Program returns a command with a time limit, which only turns a hang into a failure: it is far above what a busy machine
// needs. A program that hangs gets SIGQUIT, so that a Go runtime in it prints the stacks of its goroutines, and is killed ten
// seconds later; the test then fails with that output.
func Program(t testing.TB, name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}
