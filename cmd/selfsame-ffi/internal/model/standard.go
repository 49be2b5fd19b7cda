package model

import "github.com/selfsame-ffi/selfsame/internal/kinds"

// InNativeTypes replaces types of the C++ standard library by those in which their values cross, in all signatures and fields.
func (l *Library) InNativeTypes() {
	for f := range l.Callables() {
		f.Result.inNativeTypes()
		for i := range f.Args {
			f.Args[i].inNativeTypes()
		}
		for i := range f.ByName {
			f.ByName[i].Type.inNativeTypes()
		}
	}
	for i := range l.Classes {
		for j := range l.Classes[i].Fields {
			l.Classes[i].Fields[j].Type.inNativeTypes()
		}
	}
}

func (s *Schema) inNativeTypes() {
	if native, ok := kinds.Standard[s.Type]; ok {
		s.Type = native
	}
	for i := range s.Args {
		s.Args[i].inNativeTypes()
	}
}
