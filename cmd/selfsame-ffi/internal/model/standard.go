package model

// standard has the native types in which values of types of the C++ standard library cross.
var standard = map[string]string{
	"std::string": "ffi.String", "const char*": "ffi.String", "std::vector": "ffi.Array", "std::array": "ffi.Array", "std::map": "ffi.Map",
	"std::unordered_map": "ffi.Map", "std::optional": "Optional", "std::function": "ffi.Function", "std::tuple": "Tuple",
	"std::pair": "Tuple", "std::variant": "Variant",
}

// InNativeTypes replaces types of the C++ standard library by those in which their values cross, in all signatures and fields.
func (l *Library) InNativeTypes() {
	for i := range l.Functions {
		l.Functions[i].inNativeTypes()
	}
	for i := range l.Classes {
		c := &l.Classes[i]
		for j := range c.Fields {
			c.Fields[j].Type.inNativeTypes()
		}
		for j := range c.Methods {
			c.Methods[j].inNativeTypes()
		}
		if c.Init != nil {
			c.Init.inNativeTypes()
		}
	}
}

func (f *Function) inNativeTypes() {
	f.Result.inNativeTypes()
	for i := range f.Args {
		f.Args[i].inNativeTypes()
	}
	for i := range f.ByName {
		f.ByName[i].Type.inNativeTypes()
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
