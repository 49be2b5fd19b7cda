package target

// Requirement: G1

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/musl"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestTargetsAreParsedOrRefusedWithTheReason(t *testing.T) {
	for name, want := range map[string]Target{
		"": {}, "linux": {Linux: true}, "manylinux_2_28_x86_64": {System: "linux", Machine: "x86_64", Glibc: 28},
		"manylinux_2_34_aarch64": {System: "linux", Machine: "aarch64", Glibc: 34},
		"musllinux_1_2_x86_64":   {System: "linux", Machine: "x86_64", Musl: true},
		"win_amd64":              {System: "windows", Machine: "x86_64"},
		"macosx_12_0_arm64":      {System: "darwin", Machine: "arm64", MacOS: wheel.MacOS{Major: 12}},
		"MacOSX_13_3_x86_64":     {System: "darwin", Machine: "x86_64", MacOS: wheel.MacOS{Major: 13, Minor: 3}},
	} {
		if got, err := Parse(name); got != want || err != nil {
			t.Errorf("%s: got %+v, error %v, want %+v", name, got, err, want)
		}
	}
	for name, reason := range map[string]string{
		"manylinux_2_17_x86_64":  "runs on glibc 2.28 and later; give manylinux_2_28_x86_64",
		"musllinux_1_2_aarch64":  "give musllinux_1_2_x86_64",
		"musllinux_1_1_x86_64":   "give musllinux_1_2_x86_64",
		"win_arm64":              "for x86-64 only; give win_amd64",
		"windows-amd64":          "give win_amd64",
		"macosx_arm64":           "as in macosx_12_0_arm64",
		"macosx_12_0_universal2": "as in macosx_12_0_arm64",
		"manylinux_2_28_riscv64": `got "manylinux_2_28_riscv64"`,
		"solaris":                "expected one of manylinux_2_28_x86_64",
	} {
		_, err := Parse(name)
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: got error %v, want one that contains %q", name, err, reason)
		}
	}
}

func TestMissingZigIsAnErrorWithTheWayOut(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("ZIG", "")
	to := testenv.Value(Parse("manylinux_2_28_aarch64"))(t)
	if _, err := to.Environment(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "pip install ziglang") {
		t.Errorf("got error %v", err)
	}
	t.Setenv("ZIG", "/opt/my zig/zig-0.17")
	env, err := to.Environment(t.Context(), "")
	want := []string{`CC="/opt/my zig/zig-0.17" cc -target aarch64-linux-gnu.2.28`, "GOARCH=arm64"}
	for _, line := range want {
		if err != nil || !strings.Contains(strings.Join(env, "\n"), line) {
			t.Errorf("got %q, error %v, want %s", env, err, line)
		}
	}
}

// A path would be in what cgo compiles, which has the same bytes on each machine.
func TestZigIsNamedWithoutItsPath(t *testing.T) {
	t.Setenv("ZIG", "/opt/my zig/zig")
	env, err := Target{System: "linux", Machine: "x86_64", Glibc: 28}.Environment(t.Context(), "")
	if err != nil || !slices.Contains(env, "CC=zig cc -target x86_64-linux-gnu.2.28") ||
		!slices.ContainsFunc(env, func(line string) bool { return strings.HasPrefix(line, "PATH=/opt/my zig:") }) {
		t.Errorf("got %q, error %v", env, err)
	}
}

func TestZigHasACacheWhereThereIsNoHome(t *testing.T) {
	t.Setenv("ZIG", "/opt/zig")
	t.Setenv("ZIG_GLOBAL_CACHE_DIR", "")
	t.Setenv("XDG_CACHE_HOME", "/dev/null/cache")
	env, err := Target{System: "linux", Machine: "x86_64", Glibc: 28}.Environment(t.Context(), "")
	if want := "ZIG_GLOBAL_CACHE_DIR=" + filepath.Join(os.TempDir(), "zig"); err != nil || !slices.Contains(env, want) {
		t.Errorf("got %q, error %v, want %s", env, err, want)
	}
}

func TestZigCompilesForAMachineWithoutACompiler(t *testing.T) {
	if gocmd.Compiler(t.Context()) == "" {
		t.Skip("there is no C compiler")
	}
	t.Setenv("ZIG", "/opt/zig")
	if env, err := Here(t.Context(), ""); err != nil || env != nil {
		t.Errorf("beside a C compiler: got %q, error %v", env, err)
	}
	t.Setenv("CC", "no-such-compiler")
	env, err := Here(t.Context(), "")
	if err != nil || !slices.ContainsFunc(env, func(line string) bool { return strings.HasPrefix(line, "CC=zig cc -target ") }) {
		t.Errorf("got %q, error %v", env, err)
	}
}

func TestMacOSThatIsOlderThanGosIsRefused(t *testing.T) {
	t.Setenv("ZIG", "/opt/zig")
	to := testenv.Value(Parse("macosx_10_9_x86_64"))(t)
	if _, err := to.Environment(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "and later; give macosx_1") {
		t.Errorf("got error %v", err)
	}
	for version, want := range map[string]int{"go1.24.1": 11, "go1.25": 12, "go1.26.8": 12, "go1.27rc1": 13, "devel": 13} {
		if got := oldestMacOS(version); got != want {
			t.Errorf("%s: got macOS %d, want %d", version, got, want)
		}
	}
}

func TestStubsForAppleHaveWhatGoLinksTo(t *testing.T) {
	folder := t.TempDir()
	goroot := strings.TrimSpace(testenv.Run(t, "go", "env", "GOROOT"))
	for range 2 { // the second finds them written
		testenv.OK(t, writeAppleStubs(goroot, folder))
	}
	for file, want := range map[string]string{
		"CoreFoundation.framework/CoreFoundation.tbd": "_CFRelease",
		"Security.framework/Security.tbd":             "install-name: '/System/Library/Frameworks/Security.framework/Versions/A/Security'",
		"libresolv.tbd":                               "install-name: '/usr/lib/libresolv.9.dylib'",
	} {
		text, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: error %v, %q lacks %q", file, err, text, want)
		}
	}
}

func TestTargetOfAnotherSystemDoesNotRunHere(t *testing.T) {
	for _, name := range []string{"win_amd64", "macosx_12_0_arm64", "manylinux_2_28_x86_64"} {
		to, err := Parse(name)
		if want := to.System == runtime.GOOS && goarch[to.Machine] == runtime.GOARCH; err != nil || to.RunsHere() != want {
			t.Errorf("%s: runs here: %v, want %v, error %v", name, to.RunsHere(), want, err)
		}
	}
}

func TestCompilersForMuslLinkByWayOfTheTool(t *testing.T) {
	t.Setenv("ZIG", "/opt/zig")
	to := testenv.Value(Parse("musllinux_1_2_x86_64"))(t)
	env, err := to.Environment(t.Context(), "")
	want := " " + musl.LinkCommand + " zig cc -target x86_64-linux-musl --\n"
	if err != nil || !strings.Contains(strings.Join(env, "\n"), want) {
		t.Errorf("got %q, error %v, want a compiler with %q", env, err, want)
	}
}
