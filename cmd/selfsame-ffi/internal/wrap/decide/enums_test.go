package decide

import (
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

func classOf(t *testing.T, p *form.Plan, name string) *form.Class {
	t.Helper()
	for _, c := range p.Classes {
		if c.Go == name {
			return c
		}
	}
	t.Fatalf("there is no class %s", name)
	return nil
}

func TestTypesOfConstantsAreEnumsOrQuantities(t *testing.T) {
	for _, c := range []struct {
		declared    string
		enum, flags bool
	}{
		{"type T int\nconst (A T = iota; B; C)", true, false},
		{"type T int\nconst (A T = iota + 1; B; C; D)", true, false},
		{"type T uint8\nconst (A T = 1 << iota; B)", true, true},
		{"type T uint8\nconst (A T = 1; B T = 2; C T = 4; All T = 7)", true, true},
		{"type T uint8\nconst (A T = 1; B T = 2; C T = 3; D T = 4)", true, false},
		{"type T string\nconst (A T = \"a\"; B T = \"b\")", true, false},
		{"type T int\nconst (A T = iota; B)\nfunc (t *T) Set(text string) error { return nil }", true, false},
		{"type T int\nconst (A T = iota; B)\nfunc (t *T) Inc() {}", false, false},
		{"type T int\nconst A T = 1", false, false},
		{"type T float64\nconst (A T = 1; B T = 2)", false, false},
		{"type T int64\nconst (A T = 1; B = 60 * A)", false, false},
		{"type T int64\nconst (_ = iota; A T = 1 << (10 * iota); B)", false, false},
		{"type T int64\nconst (A T = 1; B T = 100)\nfunc (t T) Euros() float64 { return 0 }", false, false},
		{"type T int64\nconst (A T = 1; B T = 100)\nfunc (t T) Add(o T) T { return t }", false, false},
		{"type T int\nconst (A T = iota; B)\nfunc (t T) Error() string { return \"\" }", false, false},
	} {
		var got *form.Enum
		for _, made := range planOf(t, c.declared).Classes {
			if made.Named.Obj().Name() == "T" {
				got = made.Enum
			}
		}
		if (got != nil) != c.enum || got != nil && got.Flags != c.flags {
			t.Errorf("%s: got %+v, want an enum: %v, of flags: %v", c.declared, got, c.enum, c.flags)
		}
	}
}

func TestMembersLeaveOutTheNameOfTheirType(t *testing.T) {
	for declared, want := range map[string][]string{
		"type Level int\nconst (LevelLow Level = iota; LevelHigh)":  {"LOW", "HIGH"},
		"type Level int\nconst (LowLevel Level = iota; HighLevel)":  {"LOW", "HIGH"},
		"type Level int\nconst (LevelLow Level = iota; Other)":      {"LEVEL_LOW", "OTHER"},
		"type Level int\nconst (Level2 Level = iota; Level3)":       {"LEVEL2", "LEVEL3"},
		"type FogLevel int\nconst (FogLow FogLevel = iota; FogUp)":  {"LOW", "UP"},
		"type FogLevel int\nconst (LowLevel FogLevel = 1; Level)":   {"LOW_LEVEL", "LEVEL"},
		"type Level int\nconst (Second Level = 2; First Level = 1)": {"SECOND", "FIRST"},
	} {
		var got []string
		for _, m := range classOf(t, planOf(t, declared), strings.Fields(declared)[1]).Enum.Members {
			got = append(got, m.Python)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", declared, got, want)
		}
	}
}

func TestAConstructorMakesAnObjectThatWorks(t *testing.T) {
	for declared, want := range map[string]string{
		"type T struct{ m map[int]int }\nfunc MakeT() *T { return nil }\nfunc NewTWith(x int) *T { return nil }":                         "MakeT",
		"type T struct{ m map[int]int; Name string }\nfunc MakeIt(a, b int) (*T, error) { return nil, nil }":                             "MakeIt",
		"type T struct{ m map[int]int; Name string }\nfunc OpenIt(a string) (*T, error) { return nil, nil }":                             "T{}",
		"type T struct{ m map[int]int }\nfunc OpenIt(a string) (*T, error) { return nil, nil }":                                          "OpenIt",
		"// T is ready. Its zero value is an empty, usable T.\ntype T struct{ m []int }\nfunc MakeT() *T { return nil }":                 "T{}",
		"type T struct{ m []int }\nfunc MakeUnion(a, b *T) *T { return nil }\nfunc Default() *T { return nil }":                          "T{}",
		"type T struct{ Name string }\nfunc MakeT() *T { return nil }":                                                                   "T{}",
		"type T struct{ m int }\nfunc (t *T) X() {}\nfunc CreateT(a int, more ...int) *T { return nil }\nfunc MakeX() *T { return nil }": "MakeX",
	} {
		if got := classOf(t, planOf(t, declared), "T").Init.ID; got != want {
			t.Errorf("%s: the constructor is %s, want %s", declared, got, want)
		}
	}
}

func TestFieldsOfEmbeddedStructsAreArguments(t *testing.T) {
	p := planOf(t, `
type Base struct { Size int; Name string }
type Far struct { Depth int }
type Config struct { Base; *Far; Name string; hidden int }
func (c *Config) Check() {}
func Run(c *Config) {}
`)
	want := []string{"base", "far", "name", "size"}
	var got []string
	for _, f := range classOf(t, p, "Config").Init.Form.(*form.Zero).Fields {
		got = append(got, f.Python)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the constructor has %q, want %q", got, want)
	}
}
