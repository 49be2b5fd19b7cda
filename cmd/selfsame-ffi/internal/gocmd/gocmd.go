// Package gocmd runs the go command so that it leaves nothing behind when it is interrupted.
package gocmd

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// patience is how long an interrupted go command may take to end the compiler that runs and to remove its temporary folder.
const patience = 20 * time.Second

// Command returns the go command with arguments, to be run in a folder, "" for the working folder. env is added to the environment
// of this process. When ctx ends, the command gets an interrupt, on which it removes its temporary folder.
func Command(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(os.Environ(), env)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	return cmd
}

// FlagsAlone returns the value of GOFLAGS with which the go command obeys no flag -mod or -modfile of the user's, in the environment or
// in what `go env -w` wrote, and those in more instead.
func FlagsAlone(ctx context.Context, more ...string) string {
	out, err := Command(ctx, "", nil, "env", "GOFLAGS").Output()
	if err != nil {
		out = []byte(os.Getenv("GOFLAGS")) // the command that comes next says what is wrong
	}
	var kept []string
	for _, flag := range strings.Fields(string(out)) {
		switch name, _, _ := strings.Cut(strings.TrimLeft(strings.Trim(flag, `'"`), "-"), "="); name {
		case "mod":
			kept = append(kept, "-mod=readonly") // an empty value would be no value
		case "modfile":
		default:
			kept = append(kept, flag)
		}
	}
	for _, flag := range more {
		if strings.ContainsAny(flag, " \t") {
			flag = "'" + flag + "'"
		}
		kept = append(kept, flag)
	}
	return strings.Join(kept, " ")
}
