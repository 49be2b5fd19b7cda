package call

import (
	"errors"
	"runtime/debug"

	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/goroutine"
)

// Why an exception on a goroutine of a library is reported. A Go func without an error result can only panic. On the goroutine of a
// call from Python the panic ends that call, as the exception. On one that a library has started nobody recovers it: a scheduled job
// that raises would end the process. Python's own threads report such an exception and go on, so that goroutine does: its callback returns
// zero values.

// raiseOrReport ends a Go func that cannot return the error of its Python function: it panics, or reports the error and returns.
func raiseOrReport(err error) {
	if !convert.HasPython() || goroutine.IsOfCaller(CallPackage, "runtime.main", "main.") {
		panic(err)
	}
	if failed := convert.Report(err, string(debug.Stack())); failed != nil {
		panic(errors.Join(err, failed))
	}
}

// Raise does the work of Raise of package overlay.
func Raise(err error, arguments ...any) {
	raiseOrReport(err)
	refuseRequests(arguments)
}

// refuseRequests answers the HTTP requests among the arguments of a handler whose exception was reported: the client must not take what
// there is of the answer for the whole.
func refuseRequests(arguments []any) {
	const internalServerError = 500
	for _, v := range arguments {
		if w, ok := v.(interface{ WriteHeader(status int) }); ok {
			w.WriteHeader(internalServerError)
		}
	}
}

// CallPackage is the package whose goroutines run calls that have a context, on behalf of the calling thread.
const CallPackage = "github.com/selfsame-ffi/selfsame/internal/engine/call."
