package convert

import "testing"

func TestTypeWordsReplaceWholeNames(t *testing.T) {
	for name, want := range map[string]string{
		"Array<ffi.String>":          "list[str]",
		"Map<ffi.String, geo.Point>": "dict[str, geo.Point]",
		"ffi.Module":                 "Module",
		"ffi.StringBuilder":          "StringBuilder",
		"another_ffi.String":         "another_ffi.String",
		"selfsame_ffi.core.Thing":    "selfsame_ffi.core.Thing",
		"geo.MyArray<ffi.Bytes>":     "geo.MyArray[bytes]",
		"größe_ffi.Map":              "größe_ffi.Map",
		"void*":                      "an address",
		"Optional<ffi.BigInt>":       "Optional[int of more than 64 bits]",
		"":                           "",
	} {
		if got := TypeWords(name); got != want {
			t.Errorf("TypeWords(%q) = %q, want %q", name, got, want)
		}
	}
}
