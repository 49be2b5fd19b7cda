package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/linediff"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// writeFiles brings a folder, which it makes if needed, to hold the files, by name. Files that are in old, and not in
// files, are removed; others of the folder stay. A file whose text is right is not touched. With diff, writeFiles writes
// nothing in the folder, but on out what would change.
func writeFiles(folder string, files map[string]string, old []string, diff bool, out io.Writer) error {
	names := slices.Sorted(maps.Keys(files))
	for _, name := range old {
		if _, stays := files[name]; !stays {
			names = append(names, name)
		}
	}
	for _, name := range names {
		path := filepath.Join(folder, name)
		before, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		after, stays := files[name]
		if stays && err == nil && string(before) == after {
			continue
		}
		switch {
		case diff:
			_, err = io.WriteString(out, escape.Terminal(linediff.Unified(path, string(before), after)))
		case !stays:
			err = os.Remove(path)
		default:
			err = whole.File(path, []byte(after), 0o644)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}
