package selfsame_test

import (
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// A generated package whose library is of another version says so, and what to do.
// Requirement: D14
func TestLibrariesOfAnotherVersion(t *testing.T) {
	path := kindsLibrary(t)
	older := gen.NewLibrary("pack", "geo.Point", "test.OfTheNextVersion")
	wantError(t, older.Load(path), "RuntimeError", "pack.Load: the libraries lack 1 of 2 classes of the package, such as `test.OfTheNextVersion`; "+
		"load all libraries of the package in one call, or write the package again with `selfsame-ffi bind --go` for this version of them: "+path)

	library := gen.NewLibrary("pack", "geo.Point")
	gone := gen.ExportOf[func(int64) (int64, error)](library, "of_the_next_version")
	_, err := gen.Invoke1(gone, 1)
	wantError(t, err, "RuntimeError", "of_the_next_version: the library is not loaded; call pack.Load first")
	testenv.OK(t, library.Load(path))
	_, err = gen.Invoke1(gone, 1)
	wantError(t, err, "ValueError", "of_the_next_version: the loaded library has no such function; write the package again with "+
		"`selfsame-ffi bind --go` for this version of it")
	adder := gen.ExportOf[func(int64) (*selfsame.Function, error)](library, "adder")
	if add := must(gen.Invoke1(adder, 5))(t); must(add.Call(2))(t) != int64(7) {
		t.Error("a function that is there adds nothing")
	}
}
