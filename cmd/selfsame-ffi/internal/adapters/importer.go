package adapters

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/types"
	"io"
	"os"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// Importer returns what reads the types of the packages that the given ones import, as the go command compiles them with the
// flags, which are those of the build that follows, so that nothing is compiled twice. compiled is that of gocmd.Named. Its error is a gosource.LaterGoError when the
// tool cannot read what the compiler wrote.
func Importer(ctx context.Context, packages []*gosource.Package, flags, env []string, compiled func()) (types.Importer, error) {
	needed := map[string]bool{gosource.OverlayPath: true}
	for _, p := range packages {
		for _, path := range p.Imports {
			needed[path] = path != "C" && path != "unsafe"
		}
	}
	args := append([]string{"list", "-e", "-export", "-f", "{{.ImportPath}}\t{{.Export}}"}, flags...)
	for path, wanted := range needed {
		if wanted {
			args = append(args, path)
		}
	}
	cmd := gocmd.Command(ctx, packages[0].Dir, nil, args...)
	cmd.Env = env
	var out bytes.Buffer
	stderr := gocmd.Named{Compiled: compiled}
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, stderr.String())
	}
	files := map[string]string{}
	for line := range strings.Lines(out.String()) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[path] = file
	}
	imported := gosource.Importer(func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("%s was not compiled", path)
		}
		return os.Open(files[path])
	})
	// What cannot be read at all would be a fault of each file. Other faults are left to the compiler.
	if _, err := imported.Import(gosource.FrontendPath); errors.As(err, new(*gosource.LaterGoError)) {
		return nil, err
	}
	return imported, nil
}
