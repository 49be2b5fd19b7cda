package gosource

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// What a later compiler writes is an error that says how to build the tool with that Go.
//
// Requirement: G4
func TestWhatALaterCompilerWroteIsAnError(t *testing.T) {
	out := testenv.Value(exec.Command("go", "list", "-export", "-f", "{{.Export}}", "errors").Output())(t)
	written := testenv.Value(os.ReadFile(strings.TrimSpace(string(out))))(t)
	open := func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(written)), nil }
	if p, err := Importer(open).Import("errors"); err != nil || p.Scope().Lookup("New") == nil {
		t.Fatalf("as this compiler wrote it: %v, error %v", p, err)
	}
	_, form, found := bytes.Cut(written, []byte("\n$$B\nu"))
	if !found {
		t.Fatal("the version of the form was not found")
	}
	binary.LittleEndian.PutUint32(form, 1<<30)
	_, err := Importer(open).Import("errors")
	if !errors.As(err, new(*LaterGoError)) || !strings.Contains(err.Error(), "build the tool with that Go: `GOTOOLCHAIN=") {
		t.Errorf("in a later form: got the error %v", err)
	}
}
