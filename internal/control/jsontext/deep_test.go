package jsontext_test

import (
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsontext"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/leakcheck"
)

// Parsing, printing and releasing do not recurse: they work at a depth that no thread's stack has room for.
func TestVeryDeepDocuments(t *testing.T) {
	defer leakcheck.Check(t)()
	const depth = 1 << 20
	for _, c := range []struct{ open, close string }{{"[", "]"}, {`{"a":`, "}"}} {
		text := strings.Repeat(c.open, depth) + "1" + strings.Repeat(c.close, depth)
		v := testenv.Value(jsontext.Parse([]byte(text)))(t)
		if out, err := jsontext.Print(&v, 0); err != nil || string(out) != text {
			t.Error("a very deep document was printed as another one")
		}
		graph.Release(v)
	}
}
