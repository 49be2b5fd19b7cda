package escape

import "testing"

// Python reads each escape that Go writes, as the same character.
func TestConstantsOfPythonAreASCII(t *testing.T) {
	if got, want := PythonASCII("a\"\\\t\x89\u00e9\U0001f600\x00"), `"a\"\\\t\x89\u00e9\U0001f600\x00"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
