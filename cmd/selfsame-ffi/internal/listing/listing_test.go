package listing

// Requirement: G3

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func library() *model.Library {
	float, text := model.Schema{Type: "float"}, model.Schema{Type: "ffi.String"}
	points := model.Schema{Type: "ffi.Array", Args: []model.Schema{{Type: "geo.Point"}}}
	return &model.Library{
		Classes: []model.Class{
			{Key: "geo.Shape", Parent: "ffi.Object"},
			{
				Key: "geo.Point", Parent: "geo.Shape", Doc: "A point in the plane.\n\nMore of it.",
				Init: &model.Function{Name: "__ffi_init__", Typed: true, Args: []model.Schema{float, text}, ArgNames: []string{"x", "label"}, ArgDefaults: []string{`"here"`}},
				Fields: []model.Field{
					{Name: "x", Type: float, Writable: true, Default: "0.5", Doc: strings.Repeat("long words ", 20)},
					{Name: "label", Type: model.Schema{Type: "Optional", Args: []model.Schema{text}}},
				},
				Members: []model.Member{{Name: "origin", Number: 7}},
				Methods: []model.Function{
					{Name: "norm", Typed: true, Result: float, Doc: "Distance."},
					{Name: "make", Static: true, Typed: true, Result: model.Schema{Type: "geo.Point"}, ByName: []model.Field{{Name: "size", Type: float, Default: "1.0"}}},
				},
			},
		},
		Functions: []model.Function{
			{Name: "geo.raw"},
			{Name: "geo.nearest", Typed: true, Args: []model.Schema{points, points, points, points, points}, ArgNames: []string{"first", "second", "third", "fourth", "fifth"}},
		},
	}
}

const listed = `class geo.Point(geo.Shape)
    A point in the plane.
  constructor(x: float, label: str = "here")
  field x      float = 0.5
      long words long words long words long words long words long words long
      words long words long words long words long words long words long words
      long words long words long words long words long words long words long
      words
  field label  Optional[str], read-only
  member origin = 7
  method norm() -> float
      Distance.
  static method make(*, size: float = 1.0) -> geo.Point

class geo.Shape(ffi.Object)

function geo.nearest(first: Array[geo.Point], second: Array[geo.Point], third:
      Array[geo.Point], fourth: Array[geo.Point], fifth: Array[geo.Point]) ->
      Any
function geo.raw(...)
`

func TestListingHasEverythingInEightyColumns(t *testing.T) {
	var b bytes.Buffer
	testenv.OK(t, Write(&b, library(), false))
	if b.String() != listed {
		t.Errorf("got\n%s\nwant\n%s", b.String(), listed)
	}
	for line := range strings.Lines(b.String()) {
		if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > width {
			t.Errorf("longer than %d columns: %s", width, line)
		}
	}
}

func TestListingHasColoursOnlyWhenAsked(t *testing.T) {
	var b bytes.Buffer
	testenv.OK(t, Write(&b, library(), true))
	if !strings.Contains(b.String(), "class \x1b[1mgeo.Point\x1b[0m(geo.Shape)") {
		t.Errorf("a class's name is not bold:\n%s", b.String())
	}
	if plain := strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "").Replace(b.String()); plain != listed {
		t.Errorf("colours change the text:\n%s", plain)
	}
}
