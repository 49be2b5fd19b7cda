package selfsame_test

import (
	"context"
	"io"
	"iter"
	"math/big"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
)

type (
	selfLoop struct {
		Name string
		Next *selfLoop
	}
	secretive struct{ Open, hidden int }
	opaque    struct{ hidden int }
	badlyTag  struct {
		X int `ffi:"rw"`
	}
	twoNames struct {
		A int
		B int `ffi:"name=a"`
	}
	holdsChan struct{ C chan int }
	valued    struct{ selfsame.Object }
	onlyJSON  struct{ x int }
)

func (onlyJSON) MarshalJSON() ([]byte, error) { return []byte("1"), nil }

// Requirement: D10
//
// Each refusal names the function, the parameter or result, the Go type, and what to write instead.
func TestRefusalsOfSignaturesSayWhatToWrite(t *testing.T) {
	names := selfsame.ArgNames("first", "second=1")
	for name, c := range map[string]struct {
		fn   any
		opts []selfsame.FuncOption
		want string
	}{
		"channel":                 {fn: func(chan int) {}, want: "parameter 0: chan int has no counterpart in the ABI; return a <-chan int, or use an iter.Seq[int]"},
		"named parameter":         {fn: func(int, chan int) {}, opts: []selfsame.FuncOption{names}, want: "parameter 1 'second': chan int has no counterpart"},
		"channel to receive from": {fn: func(<-chan int) {}, want: "parameter 0: <-chan int can only be a result; take an iter.Seq[int], which accepts any iterable"},
		"channel to send to":      {fn: func() chan<- string { return nil }, want: "result: chan<- string has no counterpart in the ABI; take a func(string) that is called with each value"},
		"channel of channels":     {fn: func() <-chan chan int { return nil }, want: "result: chan int has no counterpart"},
		"second context":          {fn: func(_, _ context.Context) {}, want: "parameter 1: context.Context has no counterpart in the ABI; it must be the first parameter"},
		"late context":            {fn: func(int, context.Context) {}, want: "parameter 1: context.Context has no counterpart in the ABI; it must be the first parameter"},
		"context result":          {fn: func() context.Context { return nil }, want: "result: context.Context has no counterpart in the ABI; it must be the first parameter"},
		"interface":               {fn: func(interface{ Area() float64 }) {}, want: "has no counterpart in the ABI; use any, a class (*T or *selfsame.Handle[T]), or a func for each method that callers implement"},
		"other stream":            {fn: func(io.ReadSeeker) {}, want: "io.ReadSeeker has no counterpart in the ABI; use io.Reader, io.Writer, io.ReadCloser"},
		"file parameter":          {fn: func(*os.File) {}, want: "*os.File can only be a result, as a file; take an io.Reader, which accepts any binary file object"},
		"builder parameter":       {fn: func(*strings.Builder) {}, want: "*strings.Builder can only be a result, as a file; take an io.Writer"},
		"uintptr":                 {fn: func(uintptr) {}, want: "uintptr has no counterpart in the ABI; use uint64 for a number, unsafe.Pointer for an address"},
		"pointer to pointer":      {fn: func(**int) {}, want: "**int has no counterpart in the ABI; use *int"},
		"pointer to slice":        {fn: func(*[]int) {}, want: "*[]int has no counterpart in the ABI; use []int, or a class: a struct that embeds selfsame.Object"},
		"pointer to map":          {fn: func() *map[string]int { return nil }, want: "result: *map[string]int has no counterpart in the ABI; use map[string]int"},
		"pointer to func":         {fn: func(*func()) {}, want: "*func() has no counterpart in the ABI; use func()"},
		"pointer to address":      {fn: func(*unsafe.Pointer) {}, want: "*unsafe.Pointer has no counterpart in the ABI; use unsafe.Pointer"},
		"pointer to interface":    {fn: func(*error) {}, want: "*error has no counterpart in the ABI; use error"},
		"class by value":          {fn: func(valued) {}, want: "selfsame_test.valued has no counterpart in the ABI; use *selfsame_test.valued or *selfsame.Handle[selfsame_test.valued]: objects of a class do not cross by value"},
		"class result by value":   {fn: func() (v valued) { return }, want: "result: selfsame_test.valued has no counterpart"},
		"field type":              {fn: func() (f selfsame.String) { panic("") }, want: "selfsame.String has no counterpart in the ABI; it is a field type of class structs; use string"},
		"field type of bytes":     {fn: func() (f selfsame.Bytes) { panic("") }, want: "use []byte"},
		"field type of any":       {fn: func() (f selfsame.Any) { panic("") }, want: "selfsame.Any has no counterpart in the ABI; it is a field type of class structs; use any"},
		"field type of a list":    {fn: func() (f selfsame.List[int]) { panic("") }, want: "it is a field type of class structs; use *selfsame.List[int]"},
		"big integer by value":    {fn: func(big.Int) {}, want: "big.Int must not be copied; use *big.Int"},
		"struct without a name":   {fn: func(struct{ X int }) {}, want: "struct { X int } has no counterpart in the ABI, as it has no name; declare a type for it"},
		"recursive struct":        {fn: func(selfLoop) {}, want: "selfsame_test.selfLoop contains itself, and records cross by value; make it a class: embed selfsame.Object"},
		"unexported field":        {fn: func(*secretive) {}, want: "selfsame_test.secretive has the unexported field hidden, which would be lost; tag it `ffi:\"-\"` if it may be, or make selfsame_test.secretive a class"},
		"only unexported":         {fn: func(opaque) {}, want: "selfsame_test.opaque has the unexported field hidden"},
		"somebody's struct":       {fn: func(*http.Client, *sync.Mutex) {}, want: "parameter 0: http.Client.Transport: http.RoundTripper has no counterpart in the ABI; use any, a class"},
		"tag of a record":         {fn: func(badlyTag) {}, want: "selfsame_test.badlyTag.X: expected the tag `ffi:\"-\"` or `ffi:\"name=...\"`, got `ffi:\"rw\"`"},
		"names of a record":       {fn: func(twoNames) {}, want: "selfsame_test.twoNames.B: the name `a` is taken by another field"},
		"field of a record":       {fn: func(holdsChan) {}, want: "selfsame_test.holdsChan.C: chan int has no counterpart"},
		"JSON parameter":          {fn: func(onlyJSON) {}, want: "selfsame_test.onlyJSON can only be a result, as it has MarshalJSON and no UnmarshalJSON; add that method, or take any"},
		"slice":                   {fn: func([]chan int) {}, want: "parameter 0: chan int has no counterpart"},
		"map":                     {fn: func(map[string]chan int) {}, want: "parameter 0: chan int has no counterpart"},
		"array":                   {fn: func([2]chan int) {}, want: "parameter 0: chan int has no counterpart"},
		"variadic":                {fn: func(...chan int) {}, want: "parameter 0: chan int has no counterpart"},
		"second result":           {fn: func() (int, uintptr, error) { return 0, 0, nil }, want: "result 1: uintptr has no counterpart"},
		"iterator":                {fn: func(iter.Seq[chan int]) {}, want: "parameter 0: chan int has no counterpart"},
		"borrowed element":        {fn: func() iter.Seq[*Point] { return nil }, want: "*selfsame_test.Point cannot be an element of an iterator, as it is borrowed; use *Handle"},
		"callback parameter":      {fn: func(func(chan int)) {}, want: "func(chan int): parameter 0: chan int has no counterpart"},
		"callback result":         {fn: func(func() *Point) {}, want: "expected a result type that owns its value, got *selfsame_test.Point; use *Handle"},
		"not a func":              {fn: 3, want: "expected a func, got int"},
		"nil func":                {fn: (func())(nil), want: "expected a func, got a nil func"},
		"too many names":          {fn: func(int) {}, opts: []selfsame.FuncOption{names}, want: "expected 1 argument names, got 2"},
		"name of a context":       {fn: func(context.Context, int) {}, opts: []selfsame.FuncOption{names}, want: "expected 1 argument names, got 2"},
		"variadic default":        {fn: func(int, ...int) {}, opts: []selfsame.FuncOption{names}, want: "argument 'second': expected no default, as it takes any number of values"},
		"default of a type":       {fn: func(int, []int) {}, opts: []selfsame.FuncOption{names}, want: "argument 'second': expected a default of type Array<int>, got `1`"},
		"default of a time":       {fn: func(int, time.Time) {}, opts: []selfsame.FuncOption{names}, want: "argument 'second': expected a default of type datetime, got `1`"},
		"plain":                   {fn: func(map[string]any) uintptr { return 0 }, opts: []selfsame.FuncOption{selfsame.Plain()}, want: "result: uintptr has no counterpart"},
	} {
		t.Run(name, func(t *testing.T) {
			err := selfsame.RegisterFunc("test.refused", c.fn, c.opts...)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "test.refused") {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
