// Package whole writes files and folders so that each is whole at any time: as it was, or as it is to be. A run that is interrupted
// or finds the disk full leaves no cut file, and one beside it waits or is refused.
package whole

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Unfinished ends the names of files that are being written.
const Unfinished = ".selfsame-unfinished"

// File makes the file at path have the content, in a folder that it makes if needed. A file that has it already is not touched. The
// mode is that of a new file; one that is replaced keeps its own. A link keeps leading where it leads; a device or a pipe is written to.
func File(path string, content []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	replaced := err == nil && info.Mode().IsRegular()
	switch {
	case replaced:
		if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, content) {
			return nil
		}
		mode = info.Mode().Perm()
	case err == nil && !info.IsDir():
		return os.WriteFile(path, content, mode)
	case err == nil:
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is a folder")}
	}
	aside, err := beside(path, mode)
	if err != nil {
		return err
	}
	_, err = aside.Write(content)
	if replaced { // a new one has what the umask leaves of its mode
		err = errors.Join(err, aside.Chmod(mode))
	}
	if err = errors.Join(err, aside.Close()); err == nil {
		err = os.Rename(aside.Name(), path)
	}
	if err != nil {
		_ = os.Remove(aside.Name())
	}
	return err
}

// beside makes a file of a name that nothing has, in the folder of path.
func beside(path string, mode fs.FileMode) (*os.File, error) {
	const tries = 100
	for i := 0; ; i++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x%s", filepath.Base(path), rand.Uint32(), Unfinished))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || i == tries {
			return file, err
		}
	}
}

// Sweep removes what a killed run left of its files in a folder. The caller holds a lock that keeps other runs from writing there.
func Sweep(folder string) error {
	left, err := filepath.Glob(filepath.Join(escaped(folder), ".*"+Unfinished))
	for _, file := range left {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// escaped returns a path in which Glob finds no pattern.
func escaped(path string) string {
	if filepath.Separator == '\\' {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Written reports whether a text is one that begins with the header, or what a full disk left of one.
func Written(text []byte, header string) bool {
	return bytes.HasPrefix(text, []byte(header)) || bytes.HasPrefix([]byte(header), text)
}

// IsOurs reports whether a file can be written without a loss: there is none, it is no regular file, or it begins with one of the
// headers of files that the tool writes.
func IsOurs(path string, headers ...string) (bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	for _, header := range headers {
		if Written(text, header) {
			return true, nil
		}
	}
	return len(text) == 0, nil
}

// RemoveOld removes the files of a folder that match the pattern and begin with the header, but for those to keep.
func RemoveOld(folder, pattern, header string, keep map[string]bool) error {
	files, err := filepath.Glob(filepath.Join(escaped(folder), pattern))
	if err != nil {
		return err
	}
	for _, file := range files {
		info, err := os.Lstat(file)
		if err != nil || keep[filepath.Base(file)] || !info.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(file)
		if err == nil && bytes.HasPrefix(text, []byte(header)) {
			err = os.Remove(file)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
