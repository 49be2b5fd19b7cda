// Package target names the platforms that a wheel can be made for, and finds the compilers for them.
package target

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
)

// Target is a platform. The zero Target is this machine.
type Target struct {
	Machine string      // x86_64 or aarch64; empty: this machine's
	Glibc   wheel.Glibc // the oldest glibc, 0: that of the compiler
	Linux   bool        // a wheel with the tag linux_*, which promises nothing
}

// Names are the targets for messages.
const Names = "manylinux_2_28_x86_64, manylinux_2_28_aarch64, or linux for machines like this one"

var manylinux = regexp.MustCompile(`^manylinux_2_(\d+)_(x86_64|aarch64)$`)

// oldestGlibc is the oldest that selfsame-ffi's own wheels run on.
const oldestGlibc = 28

// Parse reads a target as the user gives it. It says for other platforms why no wheel can be made for them.
func Parse(name string) (Target, error) {
	lower := strings.ToLower(name)
	switch m := manylinux.FindStringSubmatch(lower); {
	case name == "":
		return Target{}, nil
	case m != nil:
		glibc, err := strconv.Atoi(m[1])
		if err != nil {
			return Target{}, fmt.Errorf("--target: %w", err)
		}
		if glibc < oldestGlibc {
			return Target{}, fmt.Errorf("--target %s: selfsame-ffi itself runs on glibc 2.%d and later; give manylinux_2_%d_%s",
				name, oldestGlibc, oldestGlibc, m[2])
		}
		return Target{Machine: m[2], Glibc: wheel.Glibc(glibc)}, nil
	case lower == "linux":
		return Target{Linux: true}, nil
	case strings.HasPrefix(lower, "musllinux"):
		return Target{}, fmt.Errorf("--target %s: the dynamic linker of musl cannot load a library with Go in it into a running "+
			"process (golang/go#54805), so there is no runtime for such a wheel either; give one of %s", name, Names)
	case strings.HasPrefix(lower, "win"):
		return Target{}, fmt.Errorf("--target %s: there is no selfsame runtime for Windows, which loads libraries and finds "+
			"symbols in other ways (docs/platforms.md lists them); give one of %s", name, Names)
	case strings.HasPrefix(lower, "macos"), strings.HasPrefix(lower, "darwin"):
		return Target{}, fmt.Errorf("--target %s: there is no selfsame runtime for macOS yet (docs/platforms.md lists what it "+
			"needs); give one of %s", name, Names)
	}
	return Target{}, fmt.Errorf("--target: expected one of %s, got %q", Names, name)
}

// thisMachine returns the processor of this machine in tags.
func thisMachine() string {
	return map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
}

// Cross reports whether the target needs zig's compiler.
func (t Target) Cross() bool { return t.Glibc != 0 }

// RunsHere reports whether this machine can load a library for the target.
func (t Target) RunsHere() bool { return t.Machine == "" || t.Machine == thisMachine() }

// Environment returns what to add to the environment of the go command. python is a Python that may have the package
// ziglang, "" for none. It fails when no zig is found.
func (t Target) Environment(ctx context.Context, python string) ([]string, error) {
	if !t.Cross() {
		return nil, nil
	}
	zig, err := findZig(ctx, python)
	if err != nil {
		return nil, err
	}
	triple := fmt.Sprintf("%s-linux-gnu.2.%d", t.Machine, t.Glibc)
	// zig turns on the undefined-behaviour sanitizer by default, which needs its own library.
	flags := "-O2 -g0 -fno-sanitize=all"
	return []string{
		"GOOS=linux", "GOARCH=" + map[string]string{"x86_64": "amd64", "aarch64": "arm64"}[t.Machine],
		"CC=" + zig + " cc -target " + triple, "CXX=" + zig + " c++ -target " + triple,
		"CGO_CFLAGS=" + flags, "CGO_CXXFLAGS=" + flags,
	}, nil
}

// findZig returns the command of zig, quoted for the go command: that in ZIG or in PATH, or that of the package ziglang.
func findZig(ctx context.Context, python string) (string, error) {
	if chosen := os.Getenv("ZIG"); chosen != "" {
		return escape.Flag(chosen)
	}
	if found, err := exec.LookPath("zig"); err == nil {
		return escape.Flag(found)
	}
	if python != "" {
		cmd := exec.CommandContext(ctx, python, "-c", "import os, ziglang; print(os.path.join(ziglang.__path__[0], 'zig'))")
		if out, err := cmd.Output(); err == nil {
			return escape.Flag(strings.TrimSpace(string(out)))
		}
	}
	return "", errors.New("--target needs the compiler of zig, which was not found: pip install ziglang, put zig into PATH, " +
		"or set ZIG to it")
}

// Tag returns the platform tag of a library that was compiled for the target. It fails when the library needs more than
// the tag promises.
func (t Target) Tag(library string) (string, error) {
	machine := t.Machine
	if machine == "" {
		machine = thisMachine()
	}
	if t.Linux {
		return "linux_" + machine, nil
	}
	oldest, err := wheel.Oldest(library)
	if err != nil {
		return "", err
	}
	if t.Glibc != 0 && oldest > t.Glibc {
		return "", fmt.Errorf("it needs glibc 2.%d, newer than that of the target; give --target manylinux_2_%d_%s",
			oldest, oldest, machine)
	}
	return wheel.Manylinux(max(oldest, t.Glibc, oldestGlibc), machine), nil
}
