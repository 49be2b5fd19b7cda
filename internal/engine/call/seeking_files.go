package call

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"sync"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// seekingFile is a file of another language that has a position, for Go interfaces such as io.ReadSeeker and io.ReaderAt.
type seekingFile struct {
	*stream
	mu sync.Mutex // ReadAt and WriteAt move the position, and back
}

// SeekingFile returns how a borrowed binary file of Python, or bytes, becomes a value of an interface that one with a position
// implements, such as io.ReaderAt, and the schema of what is accepted. It returns nil for other interfaces.
func SeekingFile(t reflect.Type) (of func(v *abi.Any) (any, error), schema string) {
	if !reflect.TypeFor[*seekingFile]().Implements(t) || t.NumMethod() == 0 {
		return nil, ""
	}
	// Whether t has a method of seekingFile is asked with an interface of it: reflect's search for a method by its name would have the linker
	// keep every exported method of the program.
	reads := t.Implements(reflect.TypeFor[io.Reader]()) || t.Implements(reflect.TypeFor[io.ReaderAt]())
	writes := t.Implements(reflect.TypeFor[io.Writer]()) || t.Implements(reflect.TypeFor[io.WriterAt]())
	kind, schema := "seeks", "go.Reader"
	switch {
	case reads && writes:
		kind, schema = "rwseeks", "go.File"
	case writes:
		kind, schema = "wseeks", "go.File"
	case !reads && !t.Implements(reflect.TypeFor[io.Seeker]()):
		return nil, ""
	}
	return func(v *abi.Any) (any, error) {
		s, err := streamOf(kind, v)
		if err != nil {
			return nil, err
		}
		return &seekingFile{stream: s}, nil
	}, schema
}

// Seek moves the position.
func (f *seekingFile) Seek(offset int64, whence int) (int64, error) {
	if f.data != nil {
		return f.data.(*bytes.Reader).Seek(offset, whence)
	}
	got, err := f.do("seek", abi.Int(offset), abi.Int(int64(whence)))
	if err != nil {
		return 0, err
	}
	defer values.Release(got)
	if convert.CheckIntLike(&got) != nil {
		return 0, fault.New("TypeError", "seek: expected the position from the file, got `%s`", convert.ValueTypeKey(&got))
	}
	return got.Int64(), nil
}

// ReadAt reads at an offset and leaves the position as it is.
func (f *seekingFile) ReadAt(p []byte, offset int64) (n int, err error) {
	err = f.at(offset, func() (err error) {
		n, err = io.ReadFull(f, p)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF
		}
		return err
	})
	return n, err
}

// WriteAt writes at an offset and leaves the position as it is.
func (f *seekingFile) WriteAt(p []byte, offset int64) (n int, err error) {
	err = f.at(offset, func() (err error) {
		n, err = f.Write(p)
		return err
	})
	return n, err
}

// at does something at an offset, and moves the position back to where it was.
func (f *seekingFile) at(offset int64, do func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	position, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return err
	}
	err = do()
	if _, back := f.Seek(position, io.SeekStart); err == nil {
		err = back
	}
	return err
}
