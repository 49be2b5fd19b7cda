package python

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/engine/arrow"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Namespace returns a new dict for the variables of [Interpreter.Exec] and [Interpreter.Eval], with the values given.
func (py *Interpreter) Namespace(variables map[string]any) (*Object, error) {
	args := make([]any, 0, 2*len(variables))
	for name, value := range variables {
		args = append(args, name, argument(value))
	}
	return object(services.namespace, args...)
}

// Exec runs statements with the variables of a namespace, a dict; nil gives them one of their own. Tracebacks name the
// line of the Go code that called Exec.
func (py *Interpreter) Exec(code string, namespace *Object) error {
	namespace, err := py.given(namespace)
	if err != nil {
		return err
	}
	return do(services.exec, code, callerLine(), namespace)
}

// Eval returns the value of an expression with the variables of a namespace, as [Interpreter.Exec] does.
func (py *Interpreter) Eval(expression string, namespace *Object) (*Object, error) {
	namespace, err := py.given(namespace)
	if err != nil {
		return nil, err
	}
	return object(services.eval, expression, callerLine(), namespace)
}

func (py *Interpreter) given(namespace *Object) (*Object, error) {
	if namespace != nil {
		return namespace, nil
	}
	return py.Namespace(nil)
}

// callerLine names the line of the code that called this package, as the file of Python code.
func callerLine() string {
	_, file, line, _ := runtime.Caller(2)
	return fmt.Sprintf("<%s:%d>", filepath.Base(file), line)
}

// Subclass makes a class of Python with bases and members. A Go func among the members is a method: its first parameter is
// the object, an *Object.
func (py *Interpreter) Subclass(name string, bases []*Object, members map[string]any) (*Object, error) {
	args := []any{name, len(bases)}
	for _, base := range bases {
		args = append(args, base)
	}
	for member, value := range members {
		args = append(args, member, argument(value))
	}
	return object(services.subclass, args...)
}

// NumPy returns a NumPy array that shares the memory of a slice, which stays pinned as long as the array lives. shape gives
// the extents, in row-major order; without it the array has one dimension. It fails as [selfsame.NewTensor] does, and with
// an [*Exception] when NumPy is not installed. [As] with a *selfsame.Tensor is the other direction:
// [selfsame.Elements] returns the memory of an array as a slice.
func NumPy[E selfsame.TensorElement](elements []E, shape ...int) (*Object, error) {
	tensor, err := selfsame.NewTensor(elements, shape...)
	if err != nil {
		return nil, err
	}
	return object(services.numpyArray, tensor)
}

// Rows returns a list of structs that libraries of data frames read as columns of Arrow, in one crossing:
// pandas.DataFrame.from_arrow, polars.DataFrame and pyarrow.table take it. The columns are the exported fields. It copies the rows. It
// fails with a TypeError when S is no struct, or a field of S has no column. [As] with a slice of structs is the other direction.
func Rows[S any](rows []S) (*Object, error) {
	const argument = "python.Rows: argument 'rows': "
	t := reflect.TypeFor[S]()
	if t.Kind() != reflect.Struct {
		return nil, fault.New("TypeError", argument+"expected structs, got %s", t)
	}
	if _, err := arrow.Of(t); err != nil {
		return nil, fault.New("TypeError", argument+"%s", fault.Reason(err))
	}
	return object(services.call, func() []S { return rows })
}
