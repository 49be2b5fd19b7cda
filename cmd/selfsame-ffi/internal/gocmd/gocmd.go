// Package gocmd runs the go command.
package gocmd

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Command returns the go command with arguments, to be run in a folder, "" for the working folder. env is added to the environment
// of this process. When ctx ends, the compilers that the command runs are ended with it: it would leave them behind.
func Command(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(os.Environ(), env)
	cmd.WaitDelay = 5 * time.Second // for the output of those that cannot be ended
	withOthers(cmd)
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

// HasCompilerFlags reports whether GOFLAGS has flags for the Go compiler, or cannot be read. A nil env is that of this process.
func HasCompilerFlags(ctx context.Context, dir string, env []string) bool {
	cmd := Command(ctx, dir, nil, "env", "GOFLAGS")
	if env != nil {
		cmd.Env = env
	}
	set, err := cmd.Output()
	return err != nil || strings.Contains(string(set), "-gcflags")
}

// Compiler returns the path of the C compiler that cgo calls, "" where that is not there.
func Compiler(ctx context.Context) string {
	out, err := Command(ctx, "", nil, "env", "CC").Output()
	if err != nil {
		return ""
	}
	words := strings.Fields(string(out))
	if len(words) == 0 {
		return ""
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return ""
	}
	return path
}
