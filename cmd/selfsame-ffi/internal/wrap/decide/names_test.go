package decide

import "testing"

func TestPackageName(t *testing.T) {
	for path, want := range map[string]string{
		"github.com/RoaringBitmap/roaring/v2": "roaring", "gopkg.in/yaml.v3": "yaml", "net/url": "url",
		"github.com/go-git/go-git/v5": "git", "github.com/google/cel-go/cel": "cel", "example.com/a-b": "a_b",
	} {
		if got := PackageName(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestErrorName(t *testing.T) {
	for name, want := range map[string]string{
		"ErrNotFound": "NotFoundError", "NoErrAlreadyUpToDate": "NoErrAlreadyUpToDateError", "Errors": "ErrorsError", "ErrBadError": "BadError",
	} {
		if got := errorName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
