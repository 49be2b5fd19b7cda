// Package target names the platforms that a wheel can be made for, and finds the compilers for them.
package target

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/musl"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
)

// Target is a platform. The zero Target is this machine.
type Target struct {
	System  string      // linux, windows or darwin, as GOOS has it; empty: this machine's
	Machine string      // x86_64, aarch64, or arm64 for macOS; empty: this machine's
	Glibc   wheel.Glibc // the oldest glibc, 0: that of the compiler
	Musl    bool        // musl 1.2 instead of glibc
	MacOS   wheel.MacOS // the oldest macOS
	Linux   bool        // a wheel with the tag linux_*, which promises nothing
}

// Every has the targets for which selfsame-ffi itself has wheels.
var Every = []string{
	"manylinux_2_28_x86_64", "manylinux_2_28_aarch64", "musllinux_1_2_x86_64", "win_amd64", "macosx_12_0_arm64", "macosx_12_0_x86_64",
}

// All stands for Every on the command line.
const All = "all"

// Names are the targets for messages.
var Names = strings.Join(Every, ", ") + ", or linux for machines like this one"

var (
	manylinux = regexp.MustCompile(`^manylinux_2_(\d+)_(x86_64|aarch64)$`)
	macosx    = regexp.MustCompile(`^macosx_(\d+)_(\d+)_(x86_64|arm64)$`)
)

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
		return Target{System: "linux", Machine: m[2], Glibc: wheel.Glibc(glibc)}, nil
	case lower == All:
		return Target{}, fmt.Errorf("--target all is for `selfsame-ffi build --wheel`; here expected one of %s", Names)
	case lower == "win_amd64":
		return Target{System: "windows", Machine: "x86_64"}, nil
	case strings.HasPrefix(lower, "macosx"):
		return parseMacOS(name, macosx.FindStringSubmatch(lower))
	case lower == "linux":
		return Target{Linux: true}, nil
	case lower == "musllinux_1_2_x86_64":
		return Target{System: "linux", Machine: "x86_64", Musl: true}, nil
	case strings.HasPrefix(lower, "musllinux"):
		return Target{}, fmt.Errorf("--target %s: with musl there is a selfsame runtime for x86-64 and musl 1.2 only; "+
			"give musllinux_1_2_x86_64", name)
	case strings.HasPrefix(lower, "win"):
		return Target{}, fmt.Errorf("--target %s: on Windows there is a selfsame runtime for x86-64 only; give win_amd64", name)
	}
	return Target{}, fmt.Errorf("--target: expected one of %s, got %q", Names, name)
}

// parseMacOS reads a target for macOS from the parts of its name, nil for a name that has not the form of a tag.
func parseMacOS(name string, parts []string) (Target, error) {
	if parts == nil {
		return Target{}, fmt.Errorf("--target: expected the oldest macOS and a processor, as in macosx_12_0_arm64, got %q", name)
	}
	major, errMajor := strconv.Atoi(parts[1])
	minor, errMinor := strconv.Atoi(parts[2])
	if err := errors.Join(errMajor, errMinor); err != nil {
		return Target{}, fmt.Errorf("--target: %w", err)
	}
	return Target{System: "darwin", Machine: parts[3], MacOS: wheel.MacOS{Major: major, Minor: minor}}, nil
}

// goarch has Go's names of processors by those in tags.
var goarch = map[string]string{"x86_64": "amd64", "aarch64": "arm64", "arm64": "arm64"}

// thisMachine returns the processor of this machine in tags.
func thisMachine() string {
	return map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
}

// Cross reports whether the target needs zig's compiler.
func (t Target) Cross() bool { return t.System != "" }

// GOOS returns the system of the target as Go names it.
func (t Target) GOOS() string {
	if t.System == "" {
		return runtime.GOOS
	}
	return t.System
}

// RunsHere reports whether this machine can load a library for the target.
func (t Target) RunsHere() bool {
	return t.GOOS() == runtime.GOOS && (t.Machine == "" || t.Machine == thisMachine()) && (!t.Cross() || t.Musl == musl.Here())
}

// triple returns zig's name of the target.
func (t Target) triple() string {
	switch t.System {
	case "windows":
		return t.Machine + "-windows-gnu"
	case "darwin":
		return fmt.Sprintf("%s-macos.%d.%d", strings.Replace(t.Machine, "arm64", "aarch64", 1), t.MacOS.Major, t.MacOS.Minor)
	}
	if t.Musl {
		return t.Machine + "-linux-musl"
	}
	return fmt.Sprintf("%s-linux-gnu.2.%d", t.Machine, t.Glibc)
}

// Here returns what to add to the environment of the go command to compile for this machine with zig, when it has no C compiler
// for cgo. It returns nothing where it has one, and where no zig is found. python is as for Environment.
func Here(ctx context.Context, python string) ([]string, error) {
	if runtime.GOOS != "linux" || thisMachine() == "" || gocmd.Compiler(ctx) != "" {
		return nil, nil
	}
	if _, err := findZig(ctx, python); err != nil {
		return nil, nil
	}
	return Target{System: "linux", Machine: thisMachine(), Glibc: oldestGlibc, Musl: musl.Here()}.Environment(ctx, python)
}

// Environment returns what to add to the environment of the go command. python is a Python that may have the package
// ziglang, "" for none. It fails when no zig is found, and when the target's macOS is older than Go's.
func (t Target) Environment(ctx context.Context, python string) ([]string, error) {
	if !t.Cross() {
		return nil, nil
	}
	program, err := findZig(ctx, python)
	if err != nil {
		return nil, err
	}
	zig, env, err := named(program)
	if err != nil {
		return nil, err
	}
	options := " -target " + t.triple()
	if t.System == "darwin" {
		stubs, err := t.appleStubs(ctx)
		if err != nil {
			return nil, err
		}
		options += stubs
	}
	cc, cxx := zig+" cc"+options, zig+" c++"+options
	if t.Musl {
		if cc, cxx, err = musl.Compilers(cc, cxx); err != nil {
			return nil, err
		}
	}
	// zig turns on the undefined-behaviour sanitizer by default, which needs its own library.
	const flags = "-O2 -g0 -fno-sanitize=all"
	return append(env,
		"GOOS="+t.System, "GOARCH="+goarch[t.Machine],
		"CC="+cc, "CXX="+cxx,
		"CGO_CFLAGS="+flags, "CGO_CXXFLAGS="+flags), nil
}

// named returns the command of zig for the go command, and an environment in which that names the program. It has no path where that
// can be: the go command writes it into what it compiles, which then has other bytes on another machine.
func named(program string) (command string, env []string, err error) {
	if os.Getenv("ZIG_GLOBAL_CACHE_DIR") == "" {
		cache, err := os.UserCacheDir()
		if err == nil {
			err = os.MkdirAll(filepath.Join(cache, "zig"), 0o755)
		}
		if err != nil { // zig would try again and again
			env = append(env, "ZIG_GLOBAL_CACHE_DIR="+filepath.Join(os.TempDir(), "zig"))
		}
	}
	folder, name := filepath.Split(program)
	if name != "zig" || strings.ContainsRune(folder, filepath.ListSeparator) {
		command, err = escape.Flag(program)
		return command, env, err
	}
	return name, append(env, "PATH="+filepath.Clean(folder)+string(filepath.ListSeparator)+os.Getenv("PATH")), nil
}

// findZig returns the path of zig: that in ZIG or in PATH, or that of the package ziglang.
func findZig(ctx context.Context, python string) (string, error) {
	if chosen := os.Getenv("ZIG"); chosen != "" {
		return chosen, nil
	}
	if found, err := exec.LookPath("zig"); err == nil {
		return found, nil
	}
	if python != "" {
		cmd := exec.CommandContext(ctx, python, "-c", "import os, ziglang; print(os.path.join(ziglang.__path__[0], 'zig'))")
		if out, err := cmd.Output(); err == nil {
			return strings.TrimSpace(string(out)), nil
		}
	}
	return "", errors.New("--target needs the compiler of zig, which was not found: pip install ziglang, put zig into PATH, " +
		"or set ZIG to it")
}

// Pythons returns the versions of Python for which selfsame-ffi itself has wheels for the target.
func (t Target) Pythons() wheel.Pythons {
	if t.GOOS() != "linux" {
		return wheel.Pythons{Oldest: 13, Newest: 13}
	}
	return wheel.AllPythons
}

// Platform returns the platform tag that a wheel for the target has at least, before its library is there.
func (t Target) Platform() string {
	machine := t.Machine
	if machine == "" {
		machine = thisMachine()
	}
	switch {
	case t.System == "windows":
		return "win_amd64"
	case t.System == "darwin":
		return fmt.Sprintf("macosx_%d_%d_%s", t.MacOS.Major, t.MacOS.Minor, machine)
	case t.Musl, !t.Cross() && musl.Here():
		return "musllinux_1_2_" + machine
	}
	return wheel.Manylinux(max(t.Glibc, oldestGlibc), machine)
}

// Tag returns the platform tag of a library that was compiled for the target. It fails when the library needs more than
// the tag promises.
func (t Target) Tag(library string) (string, error) {
	machine := t.Machine
	if machine == "" {
		machine = thisMachine()
	}
	switch {
	case t.Linux:
		return "linux_" + machine, nil
	case t.System == "windows":
		return t.Platform(), wheel.CheckWindows(library)
	case t.Musl:
		return t.Platform(), wheel.CheckMusl(library, machine)
	case t.System == "darwin":
		return t.Platform(), wheel.CheckMacOS(library, t.MacOS, t.Machine)
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
