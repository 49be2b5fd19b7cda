package decide

import (
	"go/types"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// reads says whether a method is Read of io.Reader or ReadAt of io.ReaderAt, which fill bytes of their caller. In Python they return
// bytes, as read of a file does.
func reads(name string, sig *types.Signature) bool {
	params, results := sig.Params(), sig.Results()
	if results.Len() != 2 || results.At(0).Type().String() != "int" || !isError(results.At(1).Type()) ||
		params.Len() == 0 || params.At(0).Type().String() != "[]byte" {
		return false
	}
	return name == "Read" && params.Len() == 1 || name == "ReadAt" && params.Len() == 2 && params.At(1).Type().String() == "int64"
}

// folder gives the class of fs.FS a constructor for the files of a folder.
func (d *Decider) folder(c *form.Class) {
	c.Doc = "A file system of Go. FS(folder) has the files of a folder. A Python class that derives from it defines open, which gets a " +
		"name with slashes and returns a binary file.\n\n" + c.Doc
	c.Init = &form.Item{ID: "FS", Python: c.Go, Form: &form.Operation{Op: form.FolderInit, Of: c}}
}
