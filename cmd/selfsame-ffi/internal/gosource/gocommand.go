package gosource

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
)

// OldestGo is the minor version of the oldest Go 1 release that works.
const OldestGo = 24

var goRelease = regexp.MustCompile(`^go1\.(\d+)`)

// IsTooOld reports whether a version of Go, as `go env GOVERSION` prints it, is older than what works. A development version is
// not.
func IsTooOld(version string) bool {
	minor, ok := Minor(version)
	return ok && minor < OldestGo
}

// IsLater reports whether a version of Go has a later language than the Go that the tool was built with. The tool may then not
// read all that is written in it, nor what its compiler writes.
func IsLater(version string) bool {
	minor, ok := Minor(version)
	own := OwnGo()
	return ok && own > 0 && minor > own
}

// OwnGo returns the minor version of the Go that the tool was built with, 0 for a development version.
func OwnGo() int {
	own, _ := Minor(runtime.Version())
	return own
}

// Minor returns 26 for go1.26.8; false for a development version.
func Minor(version string) (int, bool) {
	m := goRelease.FindStringSubmatch(version)
	if m == nil {
		return 0, false
	}
	minor, err := strconv.Atoi(m[1])
	return minor, err == nil
}

// ToolOfThisGo returns the command that builds the tool with the Go that the go command runs in the folder.
func ToolOfThisGo() string {
	const install = "`GOTOOLCHAIN=$(go env GOVERSION) go "
	if sources := release.Checkout(); sources != "" {
		return install + "-C " + escape.Shell(filepath.Join(sources, "cmd", "selfsame-ffi")) + " install .`"
	}
	return install + "install " + FrontendPath + "/cmd/selfsame-ffi@v" + release.Version + "`"
}

// CheckGo fails where the go command is missing, does not run in the folder or is too old, and says what to do.
func CheckGo(ctx context.Context, dir string) error {
	path, err := exec.LookPath("go")
	if err != nil {
		return errors.New("the go command was not found in PATH; install Go 1.24 or later from https://go.dev/dl")
	}
	cmd := exec.CommandContext(ctx, path, "env", "GOVERSION")
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	version := strings.TrimSpace(stdout.String())
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && WantsAnother(stderr.String()):
		return fmt.Errorf("%s; install that Go from https://go.dev/dl, or let this one fetch it (GOTOOLCHAIN=auto)", firstLine(stderr.String()))
	case err != nil && strings.Contains(stderr.String(), "go.mod"):
		return nil // the command that comes next says what is wrong with the module
	case err != nil:
		return fmt.Errorf("%s does not run: %s; install Go again from https://go.dev/dl", path, cmp.Or(firstLine(stderr.String()), err.Error()))
	case IsTooOld(version):
		return fmt.Errorf("%s is %s, which is too old; install Go 1.24 or later from https://go.dev/dl", path, version)
	}
	return nil
}

// WantsAnother reports whether what the go command says of a failure is that a module needs a later one.
func WantsAnother(failure string) bool {
	return strings.Contains(failure, "requires go >=") || strings.Contains(failure, "invalid go version")
}
