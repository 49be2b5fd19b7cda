package compile

import (
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// Requirement: I13
func TestAReasonAtTheEndOfALongLineIsKept(t *testing.T) {
	long := "go build: copying /tmp/" + strings.Repeat("folder/", 100) + "a.out: " + syscall.ENOSPC.Error()
	err := &Error{Package: "example.org/geo", Output: clean(long, &gosource.Package{ImportPath: "example.org/geo"})}
	if len(err.Error()) > 600 || !strings.Contains(err.Error(), "because of the disk") {
		t.Errorf("got %q", err)
	}
}

// Requirement: G1
func TestFlagsOfTheUsersForTheCompilerHold(t *testing.T) {
	for set, want := range map[string]bool{"": true, "-gcflags=all=-N": false} {
		t.Setenv("GOFLAGS", set)
		if flags := Flags(t.Context(), nil, true); slices.Contains(flags, "-gcflags=all=-dwarf=false") != want {
			t.Errorf("with GOFLAGS=%s: %q", set, flags)
		}
	}
}
