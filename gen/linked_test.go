package gen_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// A program that looks for a method by a name or a number that only the run knows keeps the exported methods of all its types: a
// tenth of a library.
func TestTheLinkerMayDropMethodsThatNobodyCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	program := filepath.Join(t.TempDir(), "interfaces")
	if out, err := testenv.Program(t, "go", "build", "-o", program, "./testdata/interfaces").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	out, err := testenv.Program(t, "go", "tool", "nm", program).Output()
	if err != nil {
		t.Fatalf("go tool nm: %v", err)
	}
	if !strings.Contains(string(out), "reflect.Value.Call") {
		t.Fatal("go tool nm shows no functions of reflect")
	}
	for _, function := range []string{"reflect.Value.Method", "reflect.Value.MethodByName", "reflect.(*rtype).Method", "reflect.(*rtype).MethodByName"} {
		for line := range strings.Lines(string(out)) {
			if strings.HasSuffix(strings.TrimSpace(line), " "+function) {
				t.Errorf("the program has %s", function)
			}
		}
	}
}
