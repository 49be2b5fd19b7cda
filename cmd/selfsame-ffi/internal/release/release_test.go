package release

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestVersionIsThatOfThePythonPackage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testenv.Root(), "pyproject.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "\nversion = \"" + Version + "\"\n"; !strings.Contains(string(text), want) {
		t.Errorf("pyproject.toml has another version than %s", Version)
	}
}
