package gosource

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
)

// ForeignWorkspace returns the path of the go.work file that the go command obeys in a folder, when that workspace does
// not list the folder's module: the go command then finds no package of the module. It returns "" otherwise, and when
// the folder is in no module.
func ForeignWorkspace(ctx context.Context, dir string) string {
	ask := func(args ...string) []string {
		out, err := gocmd.Command(ctx, dir, nil, args...).Output()
		if err != nil {
			return nil
		}
		return strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	}
	found := ask("env", "GOWORK", "GOMOD")
	if len(found) != 2 || found[0] == "" || found[0] == "off" || found[1] == "" || found[1] == os.DevNull {
		return ""
	}
	modules := ask("list", "-m", "-f", "{{.Dir}}")
	if len(modules) == 0 || slices.Contains(modules, filepath.Dir(found[1])) {
		return ""
	}
	return found[0]
}

// notInWorkspace returns the error of a module that a workspace does not list, nil when that is not what is wrong.
func notInWorkspace(dir string) error {
	if work := ForeignWorkspace(context.Background(), dir); work != "" {
		return fmt.Errorf("%s is below the workspace %s, which does not list its module; "+
			"run `go work use .` there, or set GOWORK=off", dir, work)
	}
	return nil
}
