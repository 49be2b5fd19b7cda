package gosource

// Requirement: G4

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestModuleThatTheWorkspaceDoesNotListIsSaid(t *testing.T) {
	t.Setenv("GOWORK", "")
	dir := t.TempDir()
	work := filepath.Join(dir, "go.work")
	write(t, work, "go 1.24\n\nuse ./listed\n")
	source := "package x\n\nimport _ \"" + FrontendPath + "\"\n"
	for _, name := range []string{"listed", "other"} {
		write(t, filepath.Join(dir, name, "go.mod"), "module example.org/"+name+"\n\ngo 1.24\n")
		write(t, filepath.Join(dir, name, "x.go"), source)
	}
	listed, other := filepath.Join(dir, "listed"), filepath.Join(dir, "other")
	for folder, want := range map[string]string{listed: "", other: work, dir: ""} {
		if got := ForeignWorkspace(t.Context(), folder); got != want {
			t.Errorf("%s: got %q, want %q", folder, got, want)
		}
	}
	for folder, advice := range map[string]bool{listed: false, other: true} {
		_, err := Find(folder, []string{SharedTag})
		if err == nil || strings.Contains(err.Error(), "run `go work use .` there") != advice {
			t.Errorf("%s: got error %v", folder, err)
		}
	}
	t.Setenv("GOWORK", "off")
	if got := ForeignWorkspace(t.Context(), other); got != "" {
		t.Errorf("got %q for a workspace that is switched off", got)
	}
}
