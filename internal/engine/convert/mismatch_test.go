package convert

import "testing"

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

func TestPlacesOfElementsAreTakenFromAMessage(t *testing.T) {
	for message, want := range map[string][2]string{
		`Array[index 2]: wrong`:                       {"[2]", "wrong"},
		`Map[value at "a]\" "]: List[index 0]: wrong`: {`["a]\" "][0]`, "wrong"},
		`Map[key at 3]: wrong`:                        {"", "Map[key at 3]: wrong"},
		`wrong`:                                       {"", "wrong"},
	} {
		if path, rest := PlaceIn(message); path != want[0] || rest != want[1] {
			t.Errorf("PlaceIn(%q) = %q, %q, want %q", message, path, rest, want)
		}
	}
}
