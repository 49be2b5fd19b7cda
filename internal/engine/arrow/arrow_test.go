package arrow

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	_ "github.com/selfsame-ffi/selfsame/internal/control" // the runtime
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D10

type part struct {
	Price float64
	Size  *int32
}

type embedded struct{ Base uint16 }

type row struct {
	embedded
	ID     int
	Small  int8
	Large  uint64
	Symbol string
	Ratio  float32
	Open   bool
	At     time.Time
	Took   time.Duration
	Data   []byte
	Note   *string
	Best   part
	Worst  *part
	Parts  []part
	Lots   [][]int32
	Hash   [3]byte
	Pair   [2]string
	Kept   string `ffi:"-"`
	Named  bool   `ffi:"name=other"`
	//lint:ignore U1000 a field that is no column
	hidden int
}

func rowsOf(n int) []row {
	rows := make([]row, n)
	for i := range rows {
		r := &rows[i]
		r.Base, r.ID, r.Small, r.Large, r.Symbol = uint16(i), -i, int8(i), math.MaxUint64-uint64(i), strings.Repeat("é", i)
		r.Ratio, r.Open, r.Took, r.Named = 0.5, i%3 == 0, time.Duration(i), i%2 == 0
		r.Data, r.Hash, r.Pair = []byte{byte(i)}, [3]byte{1, byte(i)}, [2]string{"a", r.Symbol}
		if i%2 == 0 {
			size := int32(i)
			r.At, r.Note, r.Worst = time.Unix(int64(i)-5, 1).UTC(), &r.Symbol, &part{1, &size}
			r.Parts, r.Lots = []part{{2, nil}, {3, &size}}, [][]int32{{1}, {}, {2, 3}}
		}
	}
	return rows
}

// there and back: what of a slice is left after it was Arrow's.
func thereAndBack(t *testing.T, slice any, to reflect.Type) (any, error) {
	t.Helper()
	v := reflect.ValueOf(slice)
	from, err := Of(v.Type().Elem())
	if err != nil {
		return nil, err
	}
	return read(from, v, to)
}

// read returns what of a slice is left when columns that a form made of it are read.
func read(from *Form, v reflect.Value, to reflect.Type) (any, error) {
	into, err := Of(to)
	if err != nil {
		return nil, err
	}
	s, a := new(schema), new(array)
	if err := from.Schema(unsafe.Pointer(s)); err != nil {
		return nil, err
	}
	if n, err := from.Array(v, 0, false, unsafe.Pointer(a)); err != nil || n != v.Len() {
		s.release = nil
		return nil, err
	}
	made, err := into.FromArray(unsafe.Pointer(s), unsafe.Pointer(a))
	if err != nil {
		return nil, err
	}
	return made.Interface(), nil
}

func TestRowsOfEveryKindComeBack(t *testing.T) {
	before := Live()
	rows := rowsOf(67)
	got := testenv.Value(thereAndBack(t, rows, reflect.TypeFor[row]()))(t)
	for i, r := range got.([]row) {
		want := rows[i]
		if !reflect.DeepEqual(r.Lots, want.Lots) && len(r.Lots)+len(want.Lots) > 0 || len(r.Parts) != len(want.Parts) {
			t.Fatalf("row %d: %v, want %v", i, r.Lots, want.Lots)
		}
		r.Lots, want.Lots, r.Parts, want.Parts = nil, nil, nil, nil
		if !reflect.DeepEqual(r, want) {
			t.Fatalf("row %d:\n%+v\n%+v", i, r, want)
		}
	}
	if n := Live() - before; n != 0 {
		t.Fatalf("%d Arrow structs are left", n)
	}
}

func TestAColumnOfAnotherTypeIsConvertedWhereItFits(t *testing.T) {
	type narrow struct{ ID, Other int8 }
	type wide struct {
		ID    uint32
		Other float64
	}
	got, err := thereAndBack(t, []narrow{{1, -2}, {127, 3}}, reflect.TypeFor[wide]())
	if want := []wide{{1, -2}, {127, 3}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Fatal(got, err)
	}
	for _, c := range []struct {
		rows any
		to   reflect.Type
		want string
	}{
		{[]narrow{{-1, 0}}, reflect.TypeFor[wide](), "column 'id': -1 in row 0 does not fit in uint32"},
		{[]wide{{300, 0}}, reflect.TypeFor[struct{ ID int8 }](), "column 'id': 300 in row 0 does not fit in int8"},
		{[]wide{{1, 0.5}}, reflect.TypeFor[struct{ Other int }](), "column 'other': expected int64, got float64"},
		{[]wide{{1, 0.5}}, reflect.TypeFor[struct{ Third bool }](), "expected a column 'third' of bool, got the columns id, other"},
		{[]struct{ P *int }{{nil}}, reflect.TypeFor[struct{ P int }](), "column 'p': row 0 is null, expected int64"},
		{[]struct{ S []part }{{[]part{{}}}}, reflect.TypeFor[struct{ S []struct{ Size int32 } }](), "column 's.size': row 0 is null"},
		{[]struct{ S string }{{"\xe9"}}, reflect.TypeFor[struct{ S string }](), "row 0 is not UTF-8"},
		{[]struct{ S string }{{"\xc3"}, {"\xa9"}}, reflect.TypeFor[struct{ S string }](), "row 1 is not UTF-8"},
		{[]struct{ T time.Time }{{time.Date(1600, 1, 1, 0, 0, 0, 0, time.UTC)}}, reflect.TypeFor[row](), "1678 to 2262"},
		{[]struct{ F func() }{}, reflect.TypeFor[row](), ".F: func() has no form in Arrow"},
		{[]struct{ M []map[string]int }{}, reflect.TypeFor[row](), ".M: map[string]int has no form in Arrow"},
		{[]*part{nil}, reflect.TypeFor[part](), "a nil pointer is no row"},
	} {
		if got, err := thereAndBack(t, c.rows, c.to); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, %v; want an error with %q", c.rows, got, err, c.want)
		}
	}
}

// TestDecimalsAreNumbers takes decimals for what lies in arrays of bytes, as Arrow lays them out.
func TestDecimalsAreNumbers(t *testing.T) {
	type bytes struct{ ID [16]byte }
	small, large := [16]byte{}, [16]byte{}
	for i := range small {
		small[i] = 0xff // -1
	}
	large[8] = 1 // 1 << 64
	for _, c := range []struct {
		format string
		bytes  [16]byte
		to     any
		want   string
	}{
		{"d:38,0", small, struct{ ID int8 }{-1}, ""},
		{"d:38,0", [16]byte{7: 0x80}, struct{ ID uint64 }{1 << 63}, ""},
		{"d:38,0", [16]byte{0x7f}, struct{ ID int8 }{127}, ""},
		{"d:38,1", small, struct{ ID float64 }{-0.1}, ""},
		{"d:38,0,128", large, struct{ ID float32 }{1 << 64}, ""},
		{"d:38,0", small, struct{ ID uint8 }{}, "column 'id': -1 in row 0 does not fit in uint8"},
		{"d:38,0", large, struct{ ID int64 }{}, "column 'id': 18446744073709551616 in row 0 does not fit in int64"},
		{"d:38,0", [16]byte{7: 0x80}, struct{ ID int }{}, "column 'id': 9223372036854775808 in row 0 does not fit in int"},
		{"d:38,1", small, struct{ ID int64 }{}, "column 'id': expected int64, got decimal"},
		{"d:38,-1", small, struct{ ID int64 }{}, "column 'id': expected int64, got decimal"},
		{"d:38,0", small, struct{ ID time.Duration }{}, "column 'id': expected duration, got decimal"},
	} {
		decimals := *testenv.Value(Of(reflect.TypeFor[bytes]()))(t)
		decimals.fields = slices.Clone(decimals.fields)
		id := *decimals.fields[0].form
		id.format = c.format
		decimals.fields[0].form = &id
		got, err := read(&decimals, reflect.ValueOf([]bytes{{c.bytes}}), reflect.TypeOf(c.to))
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, %v; want an error with %q", c.format, got, err, c.want)
			}
		} else if err != nil || reflect.ValueOf(got).Index(0).Interface() != c.to {
			t.Errorf("%s: got %v, %v; want %v", c.format, got, err, c.to)
		}
	}
}

type linked struct{ Next *linked }

func TestATypeThatContainsItselfHasNoForm(t *testing.T) {
	if _, err := Of(reflect.TypeFor[linked]()); err == nil || !strings.Contains(err.Error(), "contains itself") {
		t.Fatal(err)
	}
}
