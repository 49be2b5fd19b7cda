package pywriter

import (
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// Fill completes reflection data with the source: comments become missing docs, and parameter names become missing
// argument names.
func Fill(lib *model.Library, names *gosource.Names) {
	for i := range lib.Functions {
		f := &lib.Functions[i]
		fillFunction(f, f.Name[strings.LastIndexByte(f.Name, '.')+1:], names.Functions[f.Name])
	}
	for i := range lib.Classes {
		c := &lib.Classes[i]
		source := names.Classes[c.Key]
		if source == nil {
			continue
		}
		if c.Doc == "" {
			c.Doc = source.Doc
		}
		for j := range c.Fields {
			if f := &c.Fields[j]; f.Doc == "" {
				f.Doc = source.Fields[gosource.FieldID(f.Name)]
			}
		}
		if c.Init != nil {
			fillFunction(c.Init, "", source.Init)
		}
		for j := range c.Methods {
			m := &c.Methods[j]
			fillFunction(m, m.Name, source.Methods[m.Name])
		}
	}
}

func fillFunction(f *model.Function, shortName string, source *gosource.FuncNames) {
	if source == nil {
		return
	}
	if f.Doc == "" && shortName != "" {
		f.Doc = source.Doc
		// A Go comment begins with the Go name. Replace it by the name in Python.
		if rest, ok := strings.CutPrefix(f.Doc, source.GoName+" "); ok && source.GoName != "" {
			f.Doc = shortName + " " + rest
		}
	}
	if len(f.ArgNames) == 0 && len(source.Params) == len(f.Args) {
		f.ArgNames = source.Params
	}
}
