package pypackage

import (
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestARecordOfAnotherPackageHasItsOwnNameUnlessThatIsTaken(t *testing.T) {
	var records []model.Record
	for _, key := range []string{"sheets.Options", "shop.Options", "sheets.Cell", "other.Cell", "sheets.Order"} {
		records = append(records, model.Record{Key: key})
	}
	m := &Module{
		Name: "shop", ImportPath: "example.com/shop", Library: "_shop.so", Prefixes: []string{"shop"}, Runtime: Selfsame,
		Content: model.Library{
			Classes:   []model.Class{{Key: "shop.Order", Parent: "ffi.Object"}},
			Functions: []model.Function{{Name: "shop.f", Typed: true, Result: model.Schema{Type: "None"}, Records: records}},
		},
	}
	text := testenv.Value(m.Write())(t)
	for key, name := range map[string]string{
		"shop.Options": "Options", "sheets.Options": "sheets_Options", "sheets.Cell": "Cell", "other.Cell": "other_Cell",
		"sheets.Order": "sheets_Order",
	} {
		if want := "@_ffi.record(\"" + key + "\")\n@_dataclasses.dataclass\nclass " + name + ":\n"; !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
