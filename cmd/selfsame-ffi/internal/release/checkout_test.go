package release

// Requirement: G1

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestCheckoutIsTheCloneThatTheToolWasBuiltIn(t *testing.T) {
	if got := Checkout(); got != testenv.Root() {
		t.Errorf("got %q, want %q", got, testenv.Root())
	}
}

func TestToolsOfReleasesHaveNoCheckout(t *testing.T) {
	const place = "cmd/selfsame-ffi/internal/release/checkout.go"
	other := t.TempDir()
	testenv.OK(t, os.WriteFile(filepath.Join(other, "go.mod"), []byte("module example.com/other\n"), 0o600))
	for _, file := range []string{
		"github.com/selfsame-ffi/selfsame/" + place,            // built with -trimpath
		"/go/pkg/mod/github.com/selfsame@v0.2.0/" + place,      // go install
		filepath.Join(t.TempDir(), "gone", place),              // the clone was removed
		filepath.Join(other, filepath.FromSlash(place)),        // another module is there now
		"/go/mod/selfsame/cmd/selfsame-ffi@v0.2.0/checkout.go", // go install of a module of its own
	} {
		if got := checkoutOf(file); got != "" {
			t.Errorf("checkoutOf(%q) = %q, want none", file, got)
		}
	}
}
