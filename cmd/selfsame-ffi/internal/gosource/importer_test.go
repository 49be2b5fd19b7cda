package gosource

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What a later compiler writes is an error that says how to build the tool with that Go.
//
// Requirement: G4
func TestWhatALaterCompilerWroteIsAnError(t *testing.T) {
	out, err := exec.Command("go", "list", "-export", "-f", "{{.Export}}", "errors").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := strings.TrimSpace(string(out))
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := (Compiled{"errors": file}).Importer().Import("errors"); err != nil || p.Scope().Lookup("New") == nil {
		t.Fatalf("as this compiler wrote it: %v, error %v", p, err)
	}
	_, form, found := bytes.Cut(written, []byte("\n$$B\nu"))
	if !found {
		t.Fatal("the version of the form was not found")
	}
	binary.LittleEndian.PutUint32(form, 1<<30)
	later := filepath.Join(t.TempDir(), "later")
	if err := os.WriteFile(later, written, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Compiled{"errors": later}.Importer().Import("errors")
	if !errors.As(err, new(*LaterGoError)) || !strings.Contains(err.Error(), "build the tool with that Go: `GOTOOLCHAIN=") {
		t.Errorf("in a later form: got the error %v", err)
	}
}
