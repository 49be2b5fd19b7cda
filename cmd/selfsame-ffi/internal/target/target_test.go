package target

// Requirement: G1

import (
	"strings"
	"testing"
)

func TestTargetsAreParsedOrRefusedWithTheReason(t *testing.T) {
	for name, want := range map[string]Target{
		"": {}, "linux": {Linux: true}, "manylinux_2_28_x86_64": {Machine: "x86_64", Glibc: 28},
		"manylinux_2_34_aarch64": {Machine: "aarch64", Glibc: 34},
	} {
		if got, err := Parse(name); got != want || err != nil {
			t.Errorf("%s: got %+v, error %v, want %+v", name, got, err, want)
		}
	}
	for name, reason := range map[string]string{
		"manylinux_2_17_x86_64":  "runs on glibc 2.28 and later; give manylinux_2_28_x86_64",
		"musllinux_1_2_x86_64":   "golang/go#54805",
		"win_amd64":              "no selfsame runtime for Windows",
		"windows-amd64":          "docs/platforms.md",
		"macosx_11_0_arm64":      "no selfsame runtime for macOS",
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
	to, err := Parse("manylinux_2_28_aarch64")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := to.Environment(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "pip install ziglang") {
		t.Errorf("got error %v", err)
	}
	t.Setenv("ZIG", "/opt/my zig/zig")
	env, err := to.Environment(t.Context(), "")
	want := []string{`CC="/opt/my zig/zig" cc -target aarch64-linux-gnu.2.28`, "GOARCH=arm64"}
	for _, line := range want {
		if err != nil || !strings.Contains(strings.Join(env, "\n"), line) {
			t.Errorf("got %q, error %v, want %s", env, err, line)
		}
	}
}
