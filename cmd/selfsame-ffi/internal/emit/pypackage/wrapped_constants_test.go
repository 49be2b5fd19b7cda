package pypackage

import (
	"go/constant"
	"go/types"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

func TestConstantsImportWhatTheyUse(t *testing.T) {
	class := &form.Class{Key: "shelf.Kind"}
	list := types.NewSlice(types.Universe.Lookup("any").Type())
	text := string(Constants(&form.Plan{Name: "shelf", Constants: []*form.Constant{
		{Python: "NOVEL", Value: constant.MakeInt64(1), Class: class, Doc: "a typing.Any\nbuiltins.x"},
		{Python: "MANUAL", Value: constant.MakeInt64(1), Class: class, Member: "MANUAL"},
		{Python: "HALF", Value: constant.MakeInt64(2), Float: true},
		{Python: "SECOND", Value: constant.MakeInt64(1000000000), Duration: true},
		{Python: "GoneError", Other: "MissingError"},
		{Python: "LateError", Builtin: "TimeoutError"},
		{Python: "Things", Alias: list},
	}}))
	want := WrapHeader + `"""The constants of the Go package."""

import builtins
import datetime
import typing

from selfsame_ffi import nanoseconds

from . import Kind, MissingError

# a typing.Any
# builtins.x
NOVEL: Kind = Kind(1)
MANUAL: Kind = Kind.MANUAL
HALF: float = 2.0
SECOND: datetime.timedelta = nanoseconds(1000000000)
GoneError = MissingError
LateError = builtins.TimeoutError
Things = list[typing.Any]

__all__ = [
    "NOVEL",
    "MANUAL",
    "HALF",
    "SECOND",
    "GoneError",
    "LateError",
    "Things",
]
`
	if text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	plain := string(Constants(&form.Plan{Name: "shelf", Constants: []*form.Constant{{Python: "ONE", Value: constant.MakeInt64(1), Doc: "typing."}}}))
	if strings.Contains(plain, "import") {
		t.Errorf("it imports what only a comment names:\n%s", plain)
	}
}
