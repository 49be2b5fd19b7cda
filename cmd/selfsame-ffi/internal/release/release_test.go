package release

// Requirement: F5

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestVersionIsASemanticVersionOfTheFrontendToo(t *testing.T) {
	if !regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`).MatchString(Version) {
		t.Errorf("%q is no semantic version", Version)
	}
	if got := selfsame.Version(); got != Version {
		t.Errorf("the frontend says %s, the tool %s", got, Version)
	}
}

// The version stands in version.h; the others read it there.
func TestVersionIsWrittenInOnePlace(t *testing.T) {
	for name, wanted := range map[string]string{
		"pyproject.toml":                         "\ndynamic = [\"version\"]\n",
		"setup.py":                               "abi/include/selfsame/version.h",
		"python/src/selfsame_ffi/__init__.py":    "\n__version__ = _core.__version__\n",
		"python/src/selfsame_ffi/_core/module.c": "\"__version__\", SELFSAME_VERSION)",
	} {
		text := testenv.Value(os.ReadFile(filepath.Join(testenv.Root(), name)))(t)
		if !strings.Contains(string(text), wanted) {
			t.Errorf("%s does not have %q", name, wanted)
		}
		if strings.Contains(string(text), "\""+Version+"\"") {
			t.Errorf("%s has a version of its own", name)
		}
	}
}
