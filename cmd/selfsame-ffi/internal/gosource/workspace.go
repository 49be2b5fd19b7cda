package gosource

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocommand"
)

// ForeignWorkspace returns the path of the go.work file that the go command obeys in a folder, when that workspace does
// not list the folder's module: the go command then finds no package of the module. It returns "" otherwise, and when
// the folder is in no module.
func ForeignWorkspace(ctx context.Context, dir string) string {
	command := gocommand.Command{Dir: dir}
	env, err := command.Variables(ctx, "GOWORK", "GOMOD")
	work, mod := env["GOWORK"], env["GOMOD"]
	if err != nil || work == "" || work == "off" || mod == "" || mod == os.DevNull {
		return ""
	}
	modules, _, err := command.Run(ctx, "list", "-m", "-f", "{{.Dir}}")
	if err != nil || slices.Contains(strings.Split(strings.TrimSpace(string(modules)), "\n"), filepath.Dir(mod)) {
		return ""
	}
	return work
}

// notInWorkspace returns the error of a module that a workspace does not list, nil when that is not what is wrong.
func notInWorkspace(dir string) error {
	if work := ForeignWorkspace(context.Background(), dir); work != "" {
		return fmt.Errorf("%s is below the workspace %s, which does not list its module; "+
			"run `go work use .` there, or set GOWORK=off", dir, work)
	}
	return nil
}
