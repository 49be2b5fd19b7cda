// Package gocommand runs the go command.
package gocommand

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Command says where and how the go command runs.
type Command struct {
	Dir string
	Env []string // nil: that of this process, with cgo
}

// Error is what went wrong when the go command ran.
type Error struct {
	Args []string
	Dir  string
	Said string // on standard error
	Err  error
}

func (e *Error) Error() string {
	words := e.Args
	if flag := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, "-") }); flag >= 0 {
		words = words[:flag]
	}
	where := ""
	if e.Dir != "" {
		where = " in " + e.Dir
	}
	return strings.TrimSpace(fmt.Sprintf("go %s%s: %v\n%s", strings.Join(words, " "), where, e.Err, e.Said))
}

func (e *Error) Unwrap() error { return e.Err }

// Env returns the environment of this process for the go command, with cgo, and what is added to it.
func Env(added ...string) []string {
	return slices.Concat(os.Environ(), []string{"CGO_ENABLED=1"}, added)
}

// Run runs the go command and returns what it wrote to standard output and standard error. Its error is an Error, or that of a
// context that has ended.
func (c Command) Run(ctx context.Context, args ...string) (out []byte, said string, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	if c.Env == nil {
		cmd.Env = Env()
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	said = strings.TrimSpace(stderr.String())
	switch {
	case err == nil:
	case ctx.Err() != nil:
		err = ctx.Err()
	default:
		err = &Error{args, c.Dir, said, err}
	}
	return stdout.Bytes(), said, err
}

// Variables returns the values of variables of `go env`.
func (c Command) Variables(ctx context.Context, names ...string) (map[string]string, error) {
	out, _, err := c.Run(ctx, append([]string{"env", "-json"}, names...)...)
	var values map[string]string
	if err == nil {
		err = json.Unmarshal(out, &values)
	}
	return values, err
}

// List runs `go list -json` with more arguments, and returns what it says of each package, and what it wrote to standard error.
func List[T any](ctx context.Context, c Command, args ...string) (packages []*T, said string, err error) {
	out, said, err := c.Run(ctx, append([]string{"list", "-e"}, args...)...)
	if err != nil {
		return nil, said, err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		p := new(T)
		if err := dec.Decode(p); err != nil {
			return nil, said, &Error{[]string{"list"}, c.Dir, said, err}
		}
		packages = append(packages, p)
	}
	return packages, said, nil
}
