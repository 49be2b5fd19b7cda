package pyname

import (
	"slices"
	"testing"
)

func TestIdentifier(t *testing.T) {
	for in, want := range map[string]string{
		"x": "x", "class": "class_", "None": "None_", "a-b": "a_b", "2d": "_2d", "": "_", "größe": "größe", "_ffi": "_ffi_", "match": "match",
	} {
		if got := Identifier(in); got != want {
			t.Errorf("Identifier(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestParametersAreUniqueNamesForPython(t *testing.T) {
	got := Parameters([]string{"self", "maxDepth", "max_depth", "from", "", ""})
	if want := []string{"self_", "max_depth", "max_depth2", "from_", "", ""}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
