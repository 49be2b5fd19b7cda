//go:build unix

package gocmd

import (
	"os/exec"
	"syscall"
)

// withOthers puts a command into a process group of its own, which is killed with it.
func withOthers(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
