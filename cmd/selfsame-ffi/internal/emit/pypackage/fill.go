package pypackage

import (
	"maps"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// Fill completes reflection data with the source: comments become missing docs, and parameter names become missing
// argument names. The kinds of errors come from the source alone.
func Fill(lib *model.Library, names *gosource.Names) {
	for _, kind := range slices.Sorted(maps.Keys(names.Errors)) {
		lib.Errors = append(lib.Errors, model.ErrorKind{Kind: kind, Doc: names.Errors[kind].Doc, Base: names.Errors[kind].Base})
	}
	for i := range lib.Functions {
		f := &lib.Functions[i]
		source := names.Functions[f.Name]
		if known := names.BySymbol(f.GoFunc); known != nil {
			source = known
		}
		fillFunction(f, f.Name[strings.LastIndexByte(f.Name, '.')+1:], source)
	}
	for i := range lib.Classes {
		c := &lib.Classes[i]
		source := names.Classes[c.Key]
		if source == nil {
			source = &gosource.ClassNames{}
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
			of := source.Methods[m.Name]
			if known := names.BySymbol(m.GoFunc); known != nil && of == nil {
				of = known.OfMethod(len(m.Args), m.Context)
			}
			fillFunction(m, m.Name, of)
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
	params := source.Params
	if f.Context && len(params) == len(f.Args)+1 {
		params = params[1:]
	}
	if len(f.ArgNames) == 0 && len(params) == len(f.Args) {
		f.ArgNames = params
	}
}
