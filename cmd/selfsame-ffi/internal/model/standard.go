package model

// standard has the native types in which values of types of the C++ standard library cross.
var standard = map[string]string{
	"std::string": "ffi.String", "const char*": "ffi.String", "std::vector": "ffi.Array", "std::array": "ffi.Array", "std::map": "ffi.Map",
	"std::unordered_map": "ffi.Map", "std::optional": "Optional", "std::function": "ffi.Function", "std::tuple": "Tuple",
	"std::pair": "Tuple", "std::variant": "Variant",
}

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
	if native, ok := standard[s.Type]; ok {
		s.Type = native
	}
	for i := range s.Args {
		s.Args[i].inNativeTypes()
	}
}
