package escape

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// quoting is how code would write a text without a door: with a verb or a func that quotes, or between quotes that it writes.
var quoting = regexp.MustCompile("%q|strconv\\.(Append)?Quote|\\\\\"%s\\\\\"")

// The packages that write code put texts into it through this package alone. Errors and debug information may quote otherwise: the
// command line shows them through a door. What package emit/golang/wrapped writes goes through GoSource.
func TestWritersOfCodeQuoteThroughThisPackage(t *testing.T) {
	for _, folder := range []string{"emit/bindings", "emit/cpp", "emit/rust", "emit/golang/client", "emit/pypackage", "graphview", "editable"} {
		files, err := filepath.Glob(filepath.Join("..", folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", folder, files, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text := testenv.Value(os.ReadFile(file))(t)
			for i, line := range strings.Split(string(text), "\n") {
				if quoting.MatchString(line) && !strings.Contains(line, "Errorf(") && !strings.Contains(line, `[label=`) {
					t.Errorf("%s:%d quotes by itself: %s", file, i+1, strings.TrimSpace(line))
				}
			}
		}
	}
}
