package selfsame_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/big"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

type (
	selfLoop struct {
		Name string
		Next *selfLoop
	}
	secretive struct {
		Open int
		//lint:ignore U1000 it is what is refused
		hidden int
	}
	opaque struct {
		//lint:ignore U1000 it is what is refused
		hidden int
	}
	badlyTag struct {
		X int `ffi:"rw"`
	}
	twoNames struct {
		A int
		B int `ffi:"name=a"`
	}
	holdsChan struct{ C chan int }
	valued    struct{ selfsame.Object }
	onlyJSON  struct{}
)

func (onlyJSON) MarshalJSON() ([]byte, error) { return []byte("1"), nil }

// Requirement: D10
//
// Each refusal names the function, the parameter or result, the Go type, and what to write instead. The messages are in
// testdata/refused_signatures.txt, to be read.
func TestRefusalsOfSignaturesSayWhatToWrite(t *testing.T) {
	names := selfsame.ArgNames("first", "second=1")
	cases := map[string]struct {
		fn   any
		opts []selfsame.FuncOption
	}{
		"channel":                 {fn: func(chan int) {}},
		"named parameter":         {fn: func(int, chan int) {}, opts: []selfsame.FuncOption{names}},
		"channel to receive from": {fn: func(<-chan int) {}},
		"channel to send to":      {fn: func() chan<- string { return nil }},
		"channel of channels":     {fn: func() <-chan chan int { return nil }},
		"second context":          {fn: func(_, _ context.Context) {}},
		"late context":            {fn: func(int, context.Context) {}},
		"context result":          {fn: func() context.Context { return nil }},
		"interface":               {fn: func(interface{ Area() float64 }) {}},
		"other stream":            {fn: func(io.ReadSeeker) {}},
		"file parameter":          {fn: func(*os.File) {}},
		"builder parameter":       {fn: func(*strings.Builder) {}},
		"uintptr":                 {fn: func(uintptr) {}},
		"pointer to pointer":      {fn: func(**int) {}},
		"pointer to slice":        {fn: func(*[]int) {}},
		"pointer to map":          {fn: func() *map[string]int { return nil }},
		"pointer to func":         {fn: func(*func()) {}},
		"pointer to address":      {fn: func(*unsafe.Pointer) {}},
		"pointer to interface":    {fn: func(*error) {}},
		"class by value":          {fn: func(valued) {}},
		"class result by value":   {fn: func() (v valued) { return }},
		"field type":              {fn: func() (f selfsame.String) { panic("") }},
		"field type of bytes":     {fn: func() (f selfsame.Bytes) { panic("") }},
		"field type of any":       {fn: func() (f selfsame.Any) { panic("") }},
		"field type of a list":    {fn: func() (f selfsame.List[int]) { panic("") }},
		"big integer by value":    {fn: func(big.Int) {}},
		"struct without a name":   {fn: func(struct{ X int }) {}},
		"recursive struct":        {fn: func(selfLoop) {}},
		"unexported field":        {fn: func(*secretive) {}},
		"only unexported":         {fn: func(opaque) {}},
		"somebody's struct":       {fn: func(*http.Client, *sync.Mutex) {}},
		"tag of a record":         {fn: func(badlyTag) {}},
		"names of a record":       {fn: func(twoNames) {}},
		"field of a record":       {fn: func(holdsChan) {}},
		"JSON parameter":          {fn: func(onlyJSON) {}},
		"slice":                   {fn: func([]chan int) {}},
		"map":                     {fn: func(map[string]chan int) {}},
		"array":                   {fn: func([2]chan int) {}},
		"variadic":                {fn: func(...chan int) {}},
		"second result":           {fn: func() (int, uintptr, error) { return 0, 0, nil }},
		"iterator":                {fn: func(iter.Seq[chan int]) {}},
		"borrowed element":        {fn: func() iter.Seq[*Point] { return nil }},
		"callback parameter":      {fn: func(func(chan int)) {}},
		"callback result":         {fn: func(func() *Point) {}},
		"not a func":              {fn: 3},
		"nil func":                {fn: (func())(nil)},
		"too many names":          {fn: func(int) {}, opts: []selfsame.FuncOption{names}},
		"name of a context":       {fn: func(context.Context, int) {}, opts: []selfsame.FuncOption{names}},
		"variadic default":        {fn: func(int, ...int) {}, opts: []selfsame.FuncOption{names}},
		"default of a type":       {fn: func(int, []int) {}, opts: []selfsame.FuncOption{names}},
		"default of a time":       {fn: func(int, time.Time) {}, opts: []selfsame.FuncOption{names}},
		"plain":                   {fn: func(map[string]any) uintptr { return 0 }, opts: []selfsame.FuncOption{selfsame.Plain()}},
	}
	var got strings.Builder
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		c := cases[name]
		err := selfsame.RegisterFunc("test.refused", c.fn, c.opts...)
		if err == nil {
			t.Fatalf("%s was not refused", name)
		}
		fmt.Fprintf(&got, "%s\n    %v\n", name, err)
	}
	const golden = "testdata/refused_signatures.txt"
	if os.Getenv("SELFSAME_UPDATE") != "" {
		testenv.OK(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	}
	want := must(os.ReadFile(golden))(t)
	if got.String() != string(want) {
		t.Errorf("%s differs (SELFSAME_UPDATE=1 writes it again). Got:\n%s", golden, got.String())
	}
}
