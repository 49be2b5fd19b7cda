package fault

import (
	"encoding/json"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Path is where an element lies in a value: the indices and keys that lead to it, each as Python code has it.
type Path []string

// String returns the path as Python code has it, such as [2]["name"]; "" for the value itself.
func (p Path) String() string {
	if len(p) == 0 {
		return ""
	}
	return "[" + strings.Join(p, "][") + "]"
}

// within returns the path from a value of which a step leads to the one that p is about.
func (p Path) within(step string) Path { return append(Path{step}, p...) }

// refusal is what the end of a message says of a value that has the wrong type.
type refusal struct {
	Got    string `json:"got"`    // what the message calls the type
	Path   Path   `json:"path"`   // where the value is in the argument
	Behind string `json:"behind"` // the message behind Got
}

// Refused returns the TypeError of a value that has the wrong type: what it is about ("": nothing), the types that are expected, the
// one that came, and the message behind that. path says where in the argument the value is.
func Refused(subject, expected, got, behind string, path Path) *Error {
	if subject != "" {
		subject += ": "
	}
	made := New("TypeError", "%sexpected %s, got %s%s", subject, expected, got, behind)
	made.refusal = &refusal{got, path, behind}
	return made
}

// InField returns the error of a value whose field has the refused one. The message names the field already.
func (e *Error) InField(name string) *Error {
	e.refusal.Path = e.refusal.Path.within(name)
	return e
}

// Within returns the error of a value with an element that has e: the message begins with where. step leads to the element, as in a
// Path; "": nothing that Python code could write does.
func (e *Error) Within(where, step string) *Error {
	made := &Error{Kind: e.Kind, Message: where + ": " + e.Message}
	if step == "" {
		return made
	}
	made.path, made.inner = e.path.within(step), e.inner
	if e.path == nil {
		made.inner = e.Message
	}
	if r := e.refusal; r != nil {
		made.refusal = &refusal{r.Got, r.Path.within(step), r.Behind}
	}
	return made
}

// About returns the error of an argument: its message begins with the subject and the path to the element, as Python code has it, in
// the place of what Within has put there.
func (e *Error) About(subject string) *Error {
	text := e.Message
	if e.path != nil {
		text = e.inner
	}
	return &Error{Kind: e.Kind, Message: subject + e.path.String() + ": " + strings.TrimPrefix(text, "selfsame: "), refusal: e.refusal}
}

// contextOf makes the object that an Error for a Go error owns, nil when that is not possible: what stands for the Go error, or the
// JSON text of a refusal. Python names by that the type that its caller passed. The caller owns the reference.
func contextOf(err error) unsafe.Pointer {
	e, ok := err.(*Error)
	if !ok || e.refusal == nil {
		return handles.KeepError(err)
	}
	text, err := json.Marshal(e.refusal)
	if err != nil {
		panic(err) // strings always have a JSON form
	}
	var v abi.Any
	if failed := bridge.Text(string(text), false, &v); failed != nil {
		handles.DecRef(failed)
		return nil
	}
	return v.Pointer()
}
