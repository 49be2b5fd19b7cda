package decide

import (
	"fmt"
	"go/types"
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

// reading writes the option of a class for such a method.
func (c *Class) reading(name, python, doc string) string {
	params, call, names := "size int", "ReadBytes(o.Go(), size)", `"size=-1"`
	if name == "ReadAt" {
		params, call, names = "size int, offset int64", "ReadBytesAt(o.Go(), size, offset)", `"size", "offset"`
	}
	return fmt.Sprintf("selfsame.Method(%q, func(o *%s, %s) ([]byte, error) {\ndefer o.Lock().Unlock()\nreturn selfsame.%s\n}, %q, %s)",
		python, c.Go, params, call, doc, names)
}

// implementedReading writes such a method of the Go value of a Python object.
func implementedReading(adapter, name, python string) string {
	params, call := "p []byte", fmt.Sprintf("PythonRead(i.Implementation, %q, p)", python)
	if name == "ReadAt" {
		params, call = "p []byte, offset int64", fmt.Sprintf("PythonReadAt(i.Implementation, %q, p, offset)", python)
	}
	return fmt.Sprintf("\nfunc (i %s) %s(%s) (int, error) {\nreturn selfsame.%s\n}\n", adapter, name, params, call)
}

// implementedOpen writes the method Open of a file system in Python, which returns any binary file.
func (d *Decider) implementedOpen(adapter, python string) string {
	return fmt.Sprintf("\nfunc (i %s) Open(name string) (%s.File, error) {\nopened, err := selfsame.PythonMethod[func(string) (%s.ReadCloser, error)](i.Implementation, %q)(name)\n"+
		"if err != nil {\nreturn nil, err\n}\nreturn selfsame.FileOf(name, opened)\n}\n", adapter, d.plan.Imports.Name(fsPackage), d.plan.Imports.Name(ioPackage), python)
}

// folder gives the class of fs.FS a constructor for the files of a folder.
func (d *Decider) folder(c *Class) {
	c.Doc = "A file system of Go. FS(folder) has the files of a folder. A Python class that derives from it defines open, which gets a " +
		"name with slashes and returns a binary file.\n\n" + c.Doc
	c.Init = &Item{ID: "FS", Python: c.Go, Code: fmt.Sprintf(
		"selfsame.Init(func(o *%s, folder selfsame.Optional[string]) {\nif folder.OK {\no.Set(%s.DirFS(folder.Value))\n}\n}, \"folder=None\")",
		c.Go, d.plan.Imports.Name(types.NewPackage("os", "os")))}
}

var fsPackage = types.NewPackage("io/fs", "fs")
