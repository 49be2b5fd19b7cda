package jsontext_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	_ "github.com/selfsame-ffi/selfsame/internal/control"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsontext"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/leakcheck"
	"github.com/selfsame-ffi/selfsame/internal/testenv/testvalues"
)

// reprint parses a text and prints the value.
func reprint(t *testing.T, text string, indent int) string {
	t.Helper()
	v, err := jsontext.Parse([]byte(text))
	if err != nil {
		t.Fatalf("Parse(%.60q): %v", text, err)
	}
	defer graph.Release(v)
	out, err := jsontext.Print(&v, indent)
	if err != nil {
		t.Fatalf("Print of %.60q: %v", text, err)
	}
	return string(out)
}

// Requirement: A11
func TestTextsAreParsedAndPrinted(t *testing.T) {
	defer leakcheck.Check(t)()
	for _, c := range []struct{ in, out string }{
		{`null`, `null`}, {` true `, `true`}, {"\tfalse\r\n", `false`},
		{`0`, `0`}, {`-0`, `0`}, {`01`, `1`}, {`+1`, `1`}, {`-12`, `-12`},
		{`9223372036854775807`, `9223372036854775807`}, {`-9223372036854775808`, `-9223372036854775808`},
		{`9223372036854775808`, `9.2233720368547758e+18`},
		{`1.`, `1.0`}, {`.5`, `0.5`}, {`-0.0`, `-0.0`}, {`1e3`, `1000.0`}, {`1E+2`, `100.0`}, {`0e999`, `0.0`},
		{`0.1`, `0.10000000000000001`}, {`9007199254740991.0`, `9007199254740991.0`}, {`9007199254740992.0`, `9007199254740992`},
		{`1e22`, `1e+22`}, {`1e-7`, `9.9999999999999995e-08`}, {`123456.789e3`, `123456789.0`}, {`5e-324`, `4.9406564584124654e-324`},
		{`NaN`, `NaN`}, {`Infinity`, `Infinity`}, {`-Infinity`, `-Infinity`},
		{`""`, `""`}, {`"a"`, `"a"`}, {`"a longer string"`, `"a longer string"`},
		{`"\"\\\/\b\f\n\r\t"`, `"\"\\\/\b\f\n\r\t"`}, {`"/"`, `"\/"`}, {`"\u0001\u007f"`, `"\u0001\u007f"`},
		{`"\u00e9\u20ac\ud83d\ude00"`, `"é€😀"`}, {`"\u0000"`, `"\u0000"`}, {"\"\xff\"", "\"\xff\""},
		{`[]`, `[]`}, {`[ ]`, `[]`}, {`[1, [2,[]], "x"]`, `[1,[2,[]],"x"]`},
		{`{}`, `{}`}, {`{"a":1}`, `{"a":1}`}, {`{"b":{"c":[{}]},"a":null}`, `{"b":{"c":[{}]},"a":null}`},
		{`{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`},
		{`{"1":1,"2":2,"3":3,"4":4,"5":5,"6":6}`, `{"1":1,"2":2,"3":3,"4":4,"5":5,"6":6}`},
		{`[{"property one":1},{"property one":2},{"property one":"property one"}]`,
			`[{"property one":1},{"property one":2},{"property one":"property one"}]`},
	} {
		if got := reprint(t, c.in, 0); got != c.out {
			t.Errorf("%s printed as %s, want %s", c.in, got, c.out)
		}
	}
}

func TestIndentedText(t *testing.T) {
	defer leakcheck.Check(t)()
	want := "[\n  1,\n  [\n  ],\n  {\n    \"a\": {\n    }\n  }\n]"
	if got := reprint(t, `[1,[],{"a":{}}]`, 2); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Requirement: A11
func TestParseErrorsNameThePlace(t *testing.T) {
	defer leakcheck.Check(t)()
	for _, c := range []struct{ in, message string }{
		{``, `Expecting value: line 1 column 1 (char 0)`},
		{`nul`, `Expecting value: line 1 column 1 (char 0)`},
		{` tru`, `Expecting value: line 1 column 2 (char 1)`},
		{`-`, `Expecting value: line 1 column 1 (char 0)`},
		{`1e`, `Expecting value: line 1 column 1 (char 0)`},
		{`Nan`, `Expecting value: line 1 column 1 (char 0)`},
		{`-NaN`, `Expecting value: line 1 column 1 (char 0)`},
		{`--1`, `Expecting value: line 1 column 1 (char 0)`},
		{`1-2`, `Expecting value: line 1 column 1 (char 0)`},
		{`1e999`, `Expecting value: line 1 column 1 (char 0)`},
		{`1e-999`, `Expecting value: line 1 column 1 (char 0)`},
		{`1_0`, `Extra data: line 1 column 2 (char 1)`},
		{`0x10`, `Extra data: line 1 column 2 (char 1)`},
		{`{`, `Expecting property name enclosed in double quotes: line 1 column 2 (char 1)`},
		{`{"a"`, `Expecting ':' delimiter: line 1 column 5 (char 4)`},
		{`{"a":`, `Expecting value: line 1 column 6 (char 5)`},
		{`{"a":1`, `Expecting ',' delimiter: line 1 column 7 (char 6)`},
		{`{"a":1,`, `Syntax error near: line 1 column 8 (char 7)`},
		{`{"a":1,}`, `Expecting property name enclosed in double quotes: line 1 column 8 (char 7)`},
		{`[`, `Expecting value: line 1 column 2 (char 1)`},
		{`[1`, `Expecting ',' delimiter: line 1 column 3 (char 2)`},
		{`[1 2]`, `Expecting ',' delimiter: line 1 column 4 (char 3)`},
		{`[1,`, `Syntax error near: line 1 column 4 (char 3)`},
		{`[1,]`, `Expecting value: line 1 column 4 (char 3)`},
		{"[1,\n\n 2\n x", `Expecting ',' delimiter: line 4 column 2 (char 9)`},
		{`"abc`, `Unterminated string starting at: line 1 column 1 (char 0)`},
		{`"abc\n`, `Unterminated string starting at: line 1 column 1 (char 0)`},
		{`"abc\`, `Invalid \escape: line 1 column 6 (char 5)`},
		{`"\x"`, `Invalid \escape: line 1 column 3 (char 2)`},
		{`"\u12G4"`, `Invalid \uXXXX escape: line 1 column 3 (char 2)`},
		{`"\u12`, `Invalid \uXXXX escape: line 1 column 3 (char 2)`},
		{`"\ud800"`, `Invalid surrogate pair of \uXXXX escapes: line 1 column 3 (char 2)`},
		{`"\udc00"`, `Invalid surrogate pair of \uXXXX escapes: line 1 column 3 (char 2)`},
		{`"\ud800\u0041"`, `Invalid surrogate pair of \uXXXX escapes: line 1 column 10 (char 9)`},
		{`"\ud800\u00"`, `Invalid \uXXXX escape: line 1 column 10 (char 9)`},
		{"\"a\nb\"", `Invalid control character at: line 1 column 3 (char 2)`},
		{`1 2`, `Extra data: line 1 column 3 (char 2)`},
		{`["a long string", "another long string", {"a long name": ["x", ]}]`,
			`Expecting value: line 1 column 64 (char 63)`},
	} {
		v, err := jsontext.Parse([]byte(c.in))
		var e *failure.Error
		if !errors.As(err, &e) || e.Kind != "ValueError" || e.Message != c.message {
			t.Errorf("Parse(%q) = %v, want ValueError: %s", c.in, err, c.message)
		}
		graph.Release(v)
	}
}

func TestDeepDocuments(t *testing.T) {
	defer leakcheck.Check(t)()
	const depth = 20000
	text := strings.Repeat(`[{"a":`, depth) + "1" + strings.Repeat("}]", depth)
	if got := reprint(t, text, 0); got != text {
		t.Error("a deep document was printed as another one")
	}
	if _, err := jsontext.Parse([]byte(strings.Repeat("[", 1<<20))); err == nil {
		t.Error("no error for a document that does not end")
	}
}

// The document has more objects than Builder creates at a time, and repeats its property names.
func TestLargeDocument(t *testing.T) {
	defer leakcheck.Check(t)()
	var text strings.Builder
	text.WriteByte('[')
	for i := range 20000 {
		if i != 0 {
			text.WriteByte(',')
		}
		text.WriteString(`{"the same name":[1,2,{"x":"a string of some length"}],"escaped \n name":"escaped \t value","n":-1.5}`)
	}
	text.WriteByte(']')
	if got := reprint(t, text.String(), 0); got != text.String() {
		t.Error("a large document was printed as another one")
	}
	cut := text.String()[:text.Len()-2]
	if _, err := jsontext.Parse([]byte(cut)); err == nil {
		t.Error("no error for a large document cut short")
	}
}

func TestParsedTypes(t *testing.T) {
	defer leakcheck.Check(t)()
	v := testenv.Value(jsontext.Parse([]byte(`{"k":[1,1.0,true,"s","a heap string"]}`)))(t)
	defer graph.Release(v)
	if v.TypeIndex != abi.IndexMap {
		t.Fatalf("an object became type index %d", v.TypeIndex)
	}
	m := container.MapOf(v.Pointer())
	array := m.At(m.First()).Value
	want := []int32{abi.IndexInt, abi.IndexFloat, abi.IndexBool, abi.IndexSmallStr, abi.IndexStr}
	for i, item := range abi.SeqOf(array.Pointer()).Items() {
		if item.TypeIndex != want[i] {
			t.Errorf("element %d has type index %d, want %d", i, item.TypeIndex, want[i])
		}
	}
}

func TestValuesThatAreNoJSONAreRefused(t *testing.T) {
	defer leakcheck.Check(t)()
	text, _ := abi.SmallStr("a")
	bytes, _ := abi.SmallBytes([]byte("a"))
	list := testenv.Value(graph.NewList([]abi.Any{abi.Int(1)}))(t)
	array := testenv.Value(graph.NewArray([]abi.Any{graph.Retain(abi.ObjectValue(list)), abi.ObjectValue(list)}))(t)
	value := abi.ObjectValue(array)
	defer graph.Release(value)
	if out, err := jsontext.Print(&value, 0); err != nil || string(out) != "[[1],[1]]" {
		t.Errorf("a List twice in an Array: %s, %v", out, err)
	}
	numbered := testenv.Value(graph.NewMap(abi.IndexMap, []abi.Any{abi.Int(1), abi.Int(2)}))(t)
	dict := testenv.Value(graph.NewMap(abi.IndexDict, []abi.Any{text, abi.Int(2)}))(t)
	for _, c := range []struct {
		value   abi.Any
		message string
	}{
		{bytes, "Unsupported type: `ffi.SmallBytes`"},
		{abi.DeviceValue(abi.Device{Type: 1}), "Unsupported type: `Device`"},
		{abi.ObjectValue(numbered), "Expect key to be string, got `int`"},
		{abi.ObjectValue(dict), "Unsupported type: `ffi.Dict`"},
	} {
		_, err := jsontext.Print(&c.value, 0)
		var e *failure.Error
		if !errors.As(err, &e) || e.Message != c.message || e.Kind != "ValueError" {
			t.Errorf("got %v, want %s", err, c.message)
		}
		graph.Release(c.value)
	}
	// A List that contains itself.
	testvalues.Append(t, abi.ObjectValue(list), graph.Retain(abi.ObjectValue(list)))
	if _, err := jsontext.Print(&value, 0); err == nil || !strings.Contains(err.Error(), "Cycle detected: List contains itself") {
		t.Errorf("a List in itself: %v", err)
	}
	testvalues.Clear(t, abi.ObjectValue(list))
}

func TestPrintedFloatsAreParsedExactly(t *testing.T) {
	for bits := uint64(1); bits < 1<<63; bits = bits*7 + 13 {
		f := math.Float64frombits(bits)
		if math.IsNaN(f) {
			continue
		}
		value := abi.Float(f)
		out := testenv.Value(jsontext.Print(&value, 0))(t)
		back, err := jsontext.Parse(out)
		if err != nil || back != value {
			t.Fatalf("%x printed as %s came back as %v, %v", bits, out, back, err)
		}
		if bits > 1<<60 {
			break
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x\u00e9",null]}`, `[[[]],{}]`, `"\ud83d\ude00"`, `-Infinity`, `[1,`, `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	for _, input := range testenv.Corpus(f, "testdata/FuzzParse.corpus") {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		check := leakcheck.Check(t)
		defer check()
		v, err := jsontext.Parse(text)
		if err != nil {
			return
		}
		defer graph.Release(v)
		once := testenv.Value(jsontext.Print(&v, 0))(t)
		again, err := jsontext.Parse(once)
		if err != nil {
			t.Fatalf("%q was printed as %q: %v", text, once, err)
		}
		defer graph.Release(again)
		twice, err := jsontext.Print(&again, 0)
		if err != nil || string(twice) != string(once) {
			t.Fatalf("%q, printed again as %q", once, twice)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text := document(1 << 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		v, err := jsontext.Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		graph.Release(v)
	}
}

func BenchmarkPrint(b *testing.B) {
	text := document(1 << 20)
	v, err := jsontext.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	defer graph.Release(v)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := jsontext.Print(&v, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func document(size int) []byte {
	var text strings.Builder
	text.WriteByte('[')
	for text.Len() < size {
		if text.Len() > 1 {
			text.WriteByte(',')
		}
		text.WriteString(`{"identifier":12345,"name":"somebody with a name","scores":[1.5,2.25,3.125],"active":true,"tags":["one","a longer tag"],"nested":{"x":1,"y":-2}}`)
	}
	text.WriteByte(']')
	return []byte(text.String())
}
