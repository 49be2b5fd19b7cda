package testenv

import (
	"context"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// patience is far more than any program of the tests needs on a busy machine.
const patience = 10 * time.Minute

// Program is a command that must end. One that hangs is asked to quit, which lets a Go runtime in it print what its
// goroutines wait for, and is killed ten seconds later: its test fails with that output.
func Program(t testing.TB, name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}
