package adapters

import (
	"context"
	"errors"
	"go/types"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocommand"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// Importer returns what reads the types of the packages that the given ones import, as the go command compiles them with the
// flags, which are those of the build that follows, so that nothing is compiled twice. Its error is a gosource.LaterGoError when the
// tool cannot read what the compiler wrote.
func Importer(packages []*gosource.Package, flags, env []string) (types.Importer, error) {
	needed := map[string]bool{}
	for _, p := range packages {
		for _, path := range p.Imports {
			needed[path] = path != "C" && path != "unsafe"
		}
	}
	args := append([]string{"-export", "-json=ImportPath,Export"}, flags...)
	for path, wanted := range needed {
		if wanted {
			args = append(args, path)
		}
	}
	listed, _, err := gocommand.List[struct{ ImportPath, Export string }](context.Background(), gocommand.Command{Dir: packages[0].Dir, Env: env}, args...)
	if err != nil {
		return nil, err
	}
	files := gosource.Compiled{}
	for _, p := range listed {
		files[p.ImportPath] = p.Export
	}
	imported := files.Importer()
	// What cannot be read at all would be a fault of each file. Other faults are left to the compiler.
	if _, err := imported.Import(gosource.FrontendPath); errors.As(err, new(*gosource.LaterGoError)) {
		return nil, err
	}
	return imported, nil
}
