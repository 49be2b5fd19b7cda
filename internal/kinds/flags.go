package kinds

import "github.com/selfsame-ffi/selfsame/abi"

// Flag is a bit of the flags of a field or method in reflection data, under its name in Python.
type Flag struct {
	Name string
	Bit  int64
}

// Flags are the bits, in their order.
var Flags = []Flag{
	{"WRITABLE", abi.FlagWritable}, {"HAS_DEFAULT", abi.FlagHasDefault}, {"STATIC", abi.FlagIsStaticMethod},
	{"EQ_IGNORE", abi.FlagSEqHashIgnore}, {"DEF_PATTERN", abi.FlagSEqHashDefPattern}, {"FROM_FACTORY", abi.FlagDefaultFromFactory},
	{"REPR_OFF", abi.FlagReprOff}, {"COMPARE_OFF", abi.FlagCompareOff}, {"HASH_OFF", abi.FlagHashOff}, {"INIT_OFF", abi.FlagInitOff},
	{"KW_ONLY", abi.FlagKwOnly}, {"SETTER_IS_FUNCTION", abi.FlagSetterIsFunctionObj}, {"DEF_SIMPLE", abi.FlagSEqHashDefSimple},
	{"PLAIN", abi.FlagPlain},
}

// Standard has the names in schemas of native code for types of the C++ standard library, each with that of the type in which its
// values cross.
var Standard = map[string]string{
	"std::string": "ffi.String", "const char*": "ffi.String", "std::vector": "ffi.Array", "std::array": "ffi.Array",
	"std::map": "ffi.Map", "std::unordered_map": "ffi.Map", "std::optional": "Optional", "std::function": "ffi.Function",
	"std::tuple": "Tuple", "std::pair": "Tuple", "std::variant": "Variant",
}
