package whole

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/ownfile"
)

// ErrBusy says that another process holds a lock.
var ErrBusy = errors.New("another process is writing there")

// errNone says that a system or a file system has no locks, or none of folders.
var errNone = errors.New("there are no locks")

// Work is a folder in which a run makes what it moves to its place at the end. It has a lock as long as the run lives, so that the
// next run knows those of killed ones, and removes them.
type Work struct {
	Path string // absolute
	lock *os.File
}

// workPrefix begins the names of such folders.
const workPrefix = ".selfsame-work-"

// NewWork makes a folder for work in a folder, which it makes if needed, and removes those that killed runs left there.
func NewWork(folder string) (*Work, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	release, err := Lock(folder) // a folder that was just made has no lock of its own for a moment
	if err != nil {
		return nil, err
	}
	defer release()
	left, err := filepath.Glob(filepath.Join(escaped(folder), workPrefix+"*"))
	if err != nil {
		return nil, err
	}
	for _, old := range left {
		lock, err := lockFolder(old, false)
		switch {
		case errors.Is(err, ErrBusy), errors.Is(err, errNone), errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		err = os.RemoveAll(old)
		lock.Close()
		if err != nil {
			return nil, err
		}
	}
	w := &Work{}
	if w.Path, err = os.MkdirTemp(folder, workPrefix+"*"); err != nil {
		return nil, err
	}
	if w.lock, err = lockFolder(w.Path, false); err != nil && !errors.Is(err, errNone) {
		_ = os.RemoveAll(w.Path)
		return nil, err
	}
	return w, nil
}

// Close removes the folder.
func (w *Work) Close() error {
	err := os.RemoveAll(w.Path)
	for i := 0; err != nil && i < 10; i++ { // what a compiler that was killed still wrote
		err = os.RemoveAll(w.Path)
	}
	if w.lock != nil {
		w.lock.Close()
	}
	return err
}

// NewTemp makes a folder for temporary files in a folder where others may write too, such as /tmp, and removes those that killed
// runs of this user left there.
func NewTemp(folder string) (*Work, error) {
	const prefix = "selfsame-ffi-temp-"
	left, err := filepath.Glob(filepath.Join(escaped(folder), prefix+"*"))
	if err != nil {
		return nil, err
	}
	for _, old := range left {
		if ownfile.Folder(old) != nil {
			continue
		}
		if lock, err := lockFolder(old, false); err == nil {
			_ = os.RemoveAll(old) // another run may do the same
			lock.Close()
		}
	}
	const tries = 100
	for i := 0; ; i++ {
		w := &Work{}
		if w.Path, err = os.MkdirTemp(folder, prefix+"*"); err != nil {
			return nil, err
		}
		w.lock, err = lockFolder(w.Path, false)
		if errors.Is(err, errNone) {
			return w, nil
		}
		if err == nil {
			var mine, there os.FileInfo
			if mine, err = w.lock.Stat(); err == nil {
				if there, err = os.Lstat(w.Path); err == nil && os.SameFile(mine, there) {
					return w, nil
				}
			}
			w.lock.Close()
		}
		if i == tries { // each time another run took it for that of a killed one, before it had its lock
			return nil, err
		}
	}
}

// Lock waits until no other run of the tool holds the lock of a folder, and takes it. A system or file system without such locks
// gives one that excludes nobody.
func Lock(folder string) (release func(), err error) {
	lock, err := lockFolder(folder, true)
	if errors.Is(err, errNone) {
		return func() {}, nil
	}
	if err != nil {
		return nil, err
	}
	return func() { lock.Close() }, nil
}

// TryLockFile opens a file, which it makes if needed, and takes its lock. The error is ErrBusy when another process has it.
func TryLockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noLink, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lockOpen(file, false); err != nil && !errors.Is(err, errNone) {
		file.Close()
		return nil, err
	}
	return file, nil
}

// lockFolder opens a folder and takes its lock.
func lockFolder(path string, wait bool) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := lockOpen(file, wait); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
