package client

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Written returns the names of the files of a folder that an earlier run wrote. It fails when the folder has a file of
// another origin under a name that a file of Files may have.
func Written(folder string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(folder, "*_ffi.go"))
	if err != nil {
		return nil, err
	}
	found = append(found, filepath.Join(folder, headFile))
	var names []string
	for _, path := range found {
		text, err := os.ReadFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case strings.HasPrefix(string(text), Header):
			names = append(names, filepath.Base(path))
		default:
			return nil, fmt.Errorf("%s is not a file that bind wrote; rename it, or give another folder with --out", path)
		}
	}
	slices.Sort(names)
	return names, nil
}
