package gen

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// ReadBytes reads from a wrapped Go reader as read of a Python file does: all that is left for a negative size, else that many bytes,
// or fewer at the end. From a connection it returns what has come, up to the size. `selfsame-ffi wrap` writes such calls. Any
// goroutine may call it.
func ReadBytes(r io.Reader, size int) ([]byte, error) {
	if size < 0 {
		return io.ReadAll(r)
	}
	if _, waits := r.(interface{ SetReadDeadline(time.Time) error }); !waits {
		return io.ReadAll(io.LimitReader(r, int64(size)))
	}
	buffer := make([]byte, min(size, 1<<20))
	for {
		n, err := r.Read(buffer)
		switch {
		case n > 0 || size == 0 || errors.Is(err, io.EOF):
			return buffer[:n], nil
		case err != nil:
			return nil, err
		}
	}
}

// ReadBytesAt returns the bytes at an offset, fewer than size at the end. It fails with a ValueError for a negative size or offset.
// Any goroutine may call it.
func ReadBytesAt(r io.ReaderAt, size int, offset int64) ([]byte, error) {
	if size < 0 || offset < 0 {
		return nil, fault.New("ValueError", "expected a size and an offset that are not negative, got %d and %d", size, offset)
	}
	return io.ReadAll(io.NewSectionReader(r, offset, int64(size)))
}

// PythonRead does the work of Read for a Go value that a Python class implements: the method of the name returns at most as many bytes
// as it is asked for, and none at the end. It returns a ValueError when there are more. Any goroutine may call it.
func PythonRead(i Implementation, name string, p []byte) (int, error) {
	return fill(p, len(p) > 0, func() ([]byte, error) { return PythonMethod[func(int) ([]byte, error)](i, name)(len(p)) })
}

// PythonReadAt does the work of ReadAt for such a value: the method also gets the offset, and returns fewer bytes at the end only. It
// fails as [PythonRead] does. Any goroutine may call it.
func PythonReadAt(i Implementation, name string, p []byte, offset int64) (int, error) {
	n, err := fill(p, len(p) > 0, func() ([]byte, error) {
		return PythonMethod[func(int, int64) ([]byte, error)](i, name)(len(p), offset)
	})
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// fill copies what read returns into p. wanted says that no bytes are the end.
func fill(p []byte, wanted bool, read func() ([]byte, error)) (int, error) {
	data, err := read()
	switch {
	case err != nil:
		return 0, err
	case len(data) > len(p):
		return 0, fault.New("ValueError", "read: expected at most %d bytes, got %d", len(p), len(data))
	case len(data) == 0 && wanted:
		return 0, io.EOF
	}
	return copy(p, data), nil
}

// FileOf returns the file that a file system in Python has opened: a Go file as it is, or a binary file of Python, which it reads
// and closes. Any goroutine may call it.
func FileOf(name string, opened io.ReadCloser) (fs.File, error) {
	if file, ok := opened.(fs.File); ok || opened == nil {
		return file, nil
	}
	content, err := io.ReadAll(opened)
	if err = errors.Join(err, opened.Close()); err != nil {
		return nil, err
	}
	return &readFile{bytes.NewReader(content), path.Base(name)}, nil
}

// readFile is a file whose content was read. It is what its Stat returns, too.
type readFile struct {
	*bytes.Reader
	name string
}

func (f *readFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *readFile) Close() error               { return nil }
func (f *readFile) Name() string               { return f.name }
func (f *readFile) Mode() fs.FileMode          { return 0o444 }
func (f *readFile) ModTime() time.Time         { return time.Time{} }
func (f *readFile) IsDir() bool                { return false }
func (f *readFile) Sys() any                   { return nil }
