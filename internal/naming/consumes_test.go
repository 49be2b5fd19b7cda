package naming

import "testing"

func TestLastWordSaysWhetherBytesAreConsumed(t *testing.T) {
	for what, want := range map[string]bool{
		"Write": true, "io.Writer": true, "parameter 'on_emit'": true, "HashSum()": true, "(*T).ReadAt": false, "Fill": false,
		"write.Fill": false, "Catalog": true, "func (x) Put !": true, "": false, "--": false, "größe": false, "schreib_Log": true,
	} {
		if got := Consumes(what); got != want {
			t.Errorf("Consumes(%q) = %v, want %v", what, got, want)
		}
	}
}
