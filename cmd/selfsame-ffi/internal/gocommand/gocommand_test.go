package gocommand

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

func TestErrorsNameTheCommandItsFolderAndWhatItSaid(t *testing.T) {
	dir := t.TempDir()
	_, said, err := Command{Dir: dir, Env: Env("GOWORK=off", "GO111MODULE=on")}.Run(t.Context(), "list", "-m", "all")
	var failed *exec.ExitError
	if !errors.As(err, &failed) || !strings.HasPrefix(err.Error(), "go list in "+dir+": exit status 1\n") || !strings.Contains(err.Error(), said) || said == "" {
		t.Errorf("%v\n%s", err, said)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := (Command{}).Run(ended, "env"); !errors.Is(err, context.Canceled) || errors.As(err, new(*Error)) {
		t.Errorf("of a context that has ended: %v", err)
	}
}

func TestPackagesAndVariablesAreRead(t *testing.T) {
	values, err := Command{}.Variables(t.Context(), "GOROOT", "GOVERSION")
	if err != nil || values["GOROOT"] == "" || !strings.HasPrefix(values["GOVERSION"], "go") {
		t.Errorf("%v, %v", values, err)
	}
	listed, _, err := List[struct{ ImportPath string }](t.Context(), Command{}, "-json=ImportPath", "errors", "io")
	if err != nil || len(listed) != 2 || listed[0].ImportPath != "errors" {
		t.Errorf("%v, %v", listed, err)
	}
}
