package convert

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

func TestTypeWordsReplaceWholeNames(t *testing.T) {
	for name, want := range map[string]string{
		"Array<ffi.String>":           "list[str]",
		"Map<ffi.String, geo.Point>":  "dict[str, geo.Point]",
		"ffi.Module":                  "Module",
		"ffi.StringBuilder":           "StringBuilder",
		"another_ffi.String":          "another_ffi.String",
		"selfsame_ffi.core.Thing":     "selfsame_ffi.core.Thing",
		"geo.MyArray<ffi.Bytes>":      "geo.MyArray[bytes]",
		"größe_ffi.Map":               "größe_ffi.Map",
		"void*":                       "an address",
		"Optional<ffi.BigInt>":        "int of more than 64 bits or None",
		"Array<Optional<Array<int>>>": "list[list[int] or None]",
		"geo.Optional<int>":           "geo.Optional[int]",
		"":                            "",
	} {
		if got := TypeWords(name); got != want {
			t.Errorf("TypeWords(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestAnErrorAboutAnArgumentHasThePathToTheElement(t *testing.T) {
	wrong := fault.New("ValueError", "selfsame: wrong")
	for want, err := range map[string]error{
		`f: wrong`:                    wrong,
		`f[2]: wrong`:                 AtIndex("Array", 2, wrong),
		`f["a]\" "][0]: wrong`:        within(`Map[value at "a]\" "]`, `"a]\" "`, AtIndex("List", 0, wrong)),
		`f: Map[a key]: wrong`:        InElement("Map[a key]", fault.New("ValueError", "wrong")),
		`f[1]: Map[a key]: [2]: last`: AtIndex("List", 1, InElement("Map[a key]", within("[2]", "2", fault.New("ValueError", "last")))),
		`f[0]: geo.Point.x: expected float, got Tensor at [1]; copy it`: AtIndex("Array", 0,
			fault.Refused("geo.Point.x", "float", "Tensor", " at [1]; copy it", fault.Path{"1"}).InField(`"x"`)),
	} {
		if e := err.(*fault.Error).About("f"); e.Message != want {
			t.Errorf("got %q, want %q", e.Message, want)
		}
	}
}
