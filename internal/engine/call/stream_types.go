package call

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Conversions of io.Reader, io.Writer and their like. As a parameter they accept a binary file object of Python; as a result
// they become one. The native form is a Function with the name of what to do as its first argument: ("read", n) returns at
// most n bytes, none at the end; ("write", bytes) returns how many it took; ("close") closes.

// streamInterfaces are the interfaces that parameters may have: those that *stream implements.
var streamInterfaces = []reflect.Type{
	convert.ReaderType, convert.WriterType, reflect.TypeFor[io.ReadCloser](), reflect.TypeFor[io.WriteCloser](),
	reflect.TypeFor[io.ReadWriter](), reflect.TypeFor[io.ReadWriteCloser](),
}

// isStream says whether a type reads or writes: one of streamInterfaces, or as a result any pointer type with their methods.
func isStream(t reflect.Type) bool {
	for _, s := range streamInterfaces {
		if t == s {
			return true
		}
	}
	return t.Kind() == reflect.Pointer && (t.Implements(convert.ReaderType) || t.Implements(convert.WriterType))
}

// streamConv makes the conversion of a type of isStream.
func streamConv(t reflect.Type) *convert.Conv {
	reads, writes := t.Implements(convert.ReaderType), t.Implements(convert.WriterType)
	name, kind := "a binary file to read", "reader"
	switch {
	case reads && writes:
		name, kind = "a binary file to read and write", "rw"
	case writes:
		name, kind = "a binary file to write", "writer"
	}
	schema := "go.File"
	if kind == "reader" {
		schema = "go.Reader" // bytes are one too
	}
	c := convert.CallConv(name, schema,
		func(p unsafe.Pointer, v *abi.Any) error {
			if value := goValueOf(v); value != nil && reflect.TypeOf(value).Implements(t) {
				reflect.NewAt(t, p).Elem().Set(reflect.ValueOf(value))
				return nil
			}
			s, err := streamOf(kind, v)
			if err != nil {
				return err
			}
			reflect.NewAt(t, p).Elem().Set(reflect.ValueOf(s))
			return nil
		},
		func(p unsafe.Pointer, v *abi.Any) error {
			value := reflect.NewAt(t, p).Elem()
			if value.IsNil() {
				*v = abi.None()
				return nil
			}
			if s, ok := value.Interface().(*stream); ok && s.file != nil {
				s.putFile(v)
				return nil
			}
			object, err := serveStream(value.Interface())
			if err != nil {
				return err
			}
			*v = abi.ObjectValue(object)
			return convert.Repack(v, kind)
		})
	c.Check = nil
	if t.Kind() == reflect.Pointer {
		take := "io.Reader"
		if !reads {
			take = "io.Writer"
		}
		c.OnlyResult = "can only be a result, as a file; take an " + take + ", which accepts any binary file object"
	}
	return c
}

// goValueOf returns the Go value for which a borrowed value stands, nil for other values.
func goValueOf(v *abi.Any) any {
	if !v.IsObject() {
		return nil
	}
	class := typetable.Nearest(abi.TypeIndexOf(v.Pointer()))
	if class == nil || class.Foreign == nil {
		return nil
	}
	value, err := class.Foreign(v.Pointer())
	if err != nil {
		return nil // without one it may be a file of Python all the same
	}
	return value
}

// stream is a file of another language.
type stream struct {
	call *handles.State // the native form
	file *handles.State // the file itself, which a func may return; nil for the native form
	data io.Reader      // instead of call: bytes
}

// putFile makes *v an owned reference to the file.
func (s *stream) putFile(v *abi.Any) {
	object := s.file.Address()
	abi.IncRef(object)
	runtime.KeepAlive(s)
	*v = abi.ObjectValue(object)
}

// streamOf returns the stream of a borrowed value. Bytes can be read as a file.
func streamOf(kind string, v *abi.Any) (*stream, error) {
	reads := kind == "reader" || kind == "seeks"
	if content, isBytes, ok := v.Content(); ok && isBytes && reads {
		return &stream{data: bytes.NewReader(append([]byte{}, content...))}, nil
	}
	if v.TypeIndex == abi.IndexFunction {
		return &stream{call: handles.Fetch(v.Pointer())}, nil
	}
	f, err := convert.Unpack(kind, v)
	if err != nil {
		m, ok := err.(*convert.Mismatch)
		if _, isText := v.Text(); ok && isText && reads {
			return nil, m.WithHint("open the file that it names in binary mode, or pass the text's .encode()")
		} else if ok && isText {
			return nil, m.WithHint("open the file that it names in binary mode")
		}
		return nil, err
	}
	abi.IncRef(v.Pointer())
	return &stream{call: handles.FetchOwned(f.Pointer()), file: handles.FetchOwned(v.Pointer())}, nil
}

// Read reads from the file. The errors of the other language's read are *Error.
func (s *stream) Read(p []byte) (int, error) {
	if s.data != nil {
		return s.data.Read(p)
	}
	if len(p) == 0 {
		return 0, nil
	}
	got, err := s.do("read", abi.Int(int64(len(p))))
	if err != nil {
		return 0, err
	}
	defer values.Release(got)
	content, _, ok := got.Content()
	if !ok || len(content) > len(p) {
		return 0, fault.New("TypeError", "read: expected at most %d bytes from the file, got `%s`", len(p), convert.ValueTypeKey(&got))
	}
	if len(content) == 0 {
		return 0, io.EOF
	}
	return copy(p, content), nil
}

// Write writes to the file.
func (s *stream) Write(p []byte) (int, error) {
	data, err := values.NewBytes(p)
	if err != nil {
		return 0, err
	}
	defer values.Release(data)
	got, err := s.do("write", data)
	if err != nil {
		return 0, err
	}
	if convert.CheckIntLike(&got) != nil || got.Int64() < 0 || got.Int64() > int64(len(p)) {
		defer values.Release(got)
		return 0, fault.New("TypeError", "write: expected the number of bytes written from the file, got `%s`", convert.ValueTypeKey(&got))
	}
	if n := int(got.Int64()); n < len(p) {
		return n, io.ErrShortWrite
	}
	return len(p), nil
}

// Close closes the file.
func (s *stream) Close() error {
	if s.data != nil {
		return nil
	}
	got, err := s.do("close")
	values.Release(got)
	return err
}

func (s *stream) do(what string, args ...abi.Any) (abi.Any, error) {
	return values.CallValues(s.call, append([]abi.Any{convert.KindValue(what)}, args...))
}

// serveStream returns an owned Function of the native form for a Go reader or writer.
func serveStream(value any) (unsafe.Pointer, error) {
	ctx := holdContext()
	return nativeFunc("file", false, func(args []abi.Any, result *abi.Any) error {
		defer runtime.KeepAlive(value)
		what := ""
		if len(args) > 0 {
			what, _ = args[0].Text()
			what = strings.Clone(what)
		}
		*result = abi.None()
		switch {
		case what == "read" && len(args) == 2 && args[1].TypeIndex == abi.IndexInt:
			return readInto(value, args[1].Int64(), result)
		case what == "write" && len(args) == 2:
			content, _, ok := args[1].Content()
			w, writes := value.(io.Writer)
			if !ok || !writes {
				break
			}
			n, err := w.Write(append([]byte{}, content...)) // a writer must not keep or change it, but may
			*result = abi.Int(int64(n))
			return err
		case what == "close":
			defer ctx.end()
			if c, ok := value.(io.Closer); ok {
				return c.Close()
			}
			return nil
		}
		return fault.New("TypeError", "file: expected read and a number, write and bytes, or close, got %q with %d arguments",
			what, max(len(args)-1, 0))
	})
}

// maxRead limits the memory for one read that a caller can ask for.
const maxRead = 1 << 24

// readInto makes *result the bytes of one read.
func readInto(value any, size int64, result *abi.Any) error {
	r, ok := value.(io.Reader)
	if !ok || size < 0 {
		return fault.New("ValueError", "read: expected a file to read and a size, got %T and %d", value, size)
	}
	buffer := make([]byte, min(size, maxRead))
	for empty := 0; ; empty++ {
		n, err := r.Read(buffer)
		if n > 0 || size == 0 || errors.Is(err, io.EOF) {
			return values.PutBytes(buffer[:n], result)
		}
		if err != nil {
			return err
		}
		if empty == 100 {
			return io.ErrNoProgress
		}
	}
}

var _ io.ReadWriteCloser = (*stream)(nil)
