package wrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/load"
)

// VersionFile has the version of the Python package.
const VersionFile = "VERSION"

// versionLine begins the line of MarkerFile with the version that the last run wrote into VersionFile.
const versionLine = "version: "

// writeVersion lets the version of the Python package follow that of the Go module, unless a person has written another one since
// the last run.
func (m *Module) writeVersion(w *load.World, log io.Writer) error {
	version, err := m.o.version(w)
	if err != nil {
		return err
	}
	file := filepath.Join(m.o.Dir, VersionFile)
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	there := strings.TrimSpace(string(text))
	if there != "" && there != m.folder.version {
		if there != version {
			fmt.Fprintf(log, "%s says %s, which is kept, and the Go module is %s; remove the file to follow the Go module\n", file, escape.TerminalLine(there), version)
		}
		return nil
	}
	if there != version {
		if err := whole.File(file, []byte(version+"\n"), 0o644); err != nil {
			return err
		}
	}
	return m.folder.keepVersion(version)
}

// version returns the version of the Go module that is wrapped: that in go.mod, or that of a folder by its file VERSION or its tags.
func (o *Options) version(w *load.World) (string, error) {
	first := o.Sources[0]
	if first.Folder != "" {
		version, err := wheel.FindVersion(context.Background(), first.Dir, first.Folder)
		if errors.Is(err, wheel.ErrNoVersion) {
			return wheel.Unknown, nil
		}
		return version, err
	}
	for _, m := range w.Modules {
		if strings.HasPrefix(first.Path+"/", m.Path+"/") && m.Version != "" {
			return wheel.GoVersion(m.Version)
		}
	}
	return wheel.Unknown, nil
}
