package wheel

// Requirement: G1

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestVersionsOfGoAndPythonAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"1.2.0": "1.2.0", "v1.2.0": "1.2.0", " v0.1.0\n": "0.1.0", "v1.2.0-rc.1": "1.2.0rc1", "v1.2.0-beta2": "1.2.0b2",
		"1.2.0rc1": "1.2.0rc1", "1.0.dev3": "1.0.dev3", "1.0.post1+g12ab": "1.0.post1+g12ab",
	} {
		if got, err := ParseVersion(text); got != want || err != nil {
			t.Errorf("%q: got %q, error %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "v", "1.2.x", "latest", "1.2.0-20240101000000-abcdef", "1.0 beta"} {
		if got, err := ParseVersion(text); err == nil || !strings.Contains(err.Error(), "expected a version such as") {
			t.Errorf("%q: got %q, error %v", text, got, err)
		}
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false",
		"-c", "tag.gpgsign=false", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	testenv.OK(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestVersionIsFoundInTagsAndFiles(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root := t.TempDir()
	sub := filepath.Join(root, "sub")
	testenv.OK(t, os.Mkdir(sub, 0o755))
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(root))
	expect := func(module, pattern string) {
		t.Helper()
		got, err := FindVersion(t.Context(), module, module)
		if err != nil || !regexp.MustCompile("^"+pattern+"$").MatchString(got) {
			t.Errorf("got %q, error %v, want %s", got, err, pattern)
		}
	}
	if _, err := FindVersion(t.Context(), root, root); !errors.Is(err, ErrNoVersion) {
		t.Errorf("no repository: got error %v", err)
	}
	git(t, root, "init", "-q")
	write(t, filepath.Join(sub, "x.go"), "package x\n")
	git(t, root, "add", ".")
	git(t, root, "commit", "-qm", "one")
	if _, err := FindVersion(t.Context(), root, root); !errors.Is(err, ErrNoVersion) {
		t.Errorf("no tag: got error %v", err)
	}
	git(t, root, "tag", "v1.2.0")
	git(t, root, "tag", "sub/v0.3.0-rc.1")
	expect(root, `1\.2\.0`)
	expect(sub, `0\.3\.0rc1`)
	write(t, filepath.Join(sub, "x.go"), "package x // changed\n")
	expect(root, `1\.2\.1\.dev0\+g[0-9a-f]{9}\.dirty`)
	git(t, root, "commit", "-qam", "two")
	expect(root, `1\.2\.1\.dev1\+g[0-9a-f]{9}`)
	expect(sub, `0\.3\.0rc2\.dev1\+g[0-9a-f]{9}`)
	write(t, filepath.Join(root, "VERSION"), "v2.0.0\n")
	expect(root, `2\.0\.0`)
	write(t, filepath.Join(root, "VERSION"), "soon\n")
	if _, err := FindVersion(t.Context(), root, root); err == nil || !strings.Contains(err.Error(), filepath.Join(root, "VERSION")) {
		t.Errorf("a wrong file: got error %v", err)
	}
}

func TestVersionsOfGoModulesBecomePythons(t *testing.T) {
	for version, want := range map[string]string{
		"v1.6.0": "1.6.0", "v1.2.0-rc.1": "1.2.0rc1", "v2.1.0+incompatible": "2.1.0", "v1.0.0-tuesday.1": "1.0.0.dev0",
		"v0.0.0-20250102030405-0123456789ab":                "0.0.0.dev20250102030405",
		"v3.0.0-20250102030405-0123456789ab":                "3.0.0.dev20250102030405",
		"v1.2.4-0.20250102030405-0123456789ab":              "1.2.4.dev20250102030405",
		"v1.2.4-rc.1.0.20250102030405-0123456789ab":         "1.2.4rc2.dev20250102030405",
		"v2.0.1-0.20250102030405-0123456789ab+incompatible": "2.0.1.dev20250102030405",
	} {
		if got, err := GoVersion(version); got != want || err != nil || !pythonVersion.MatchString(got) {
			t.Errorf("%s: got %q, error %v, want %q", version, got, err, want)
		}
	}
	if got, err := GoVersion("latest"); err == nil {
		t.Errorf("latest: got %q", got)
	}
}
