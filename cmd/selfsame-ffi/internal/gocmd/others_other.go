//go:build !unix

package gocmd

import "os/exec"

// withOthers does nothing: the system has no process groups.
func withOthers(*exec.Cmd) {}
