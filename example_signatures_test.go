package selfsame_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/selfsame-ffi/selfsame"
)

// A func with a context, a time and a variadic parameter, which returns two results.
func ExampleRegisterFunc_signatures() {
	schedule := func(_ context.Context, at time.Time, every time.Duration, names ...string) (string, time.Time, error) {
		return strings.Join(names, " and "), at.Add(every * time.Duration(len(names))), nil
	}
	selfsame.MustRegisterFunc("example.schedule", schedule, selfsame.ArgNames("at", "every", "names"))
	f, err := selfsame.GetFunc("example.schedule")
	if err != nil {
		panic(err)
	}
	// In Python: example.schedule(datetime.now(timezone.utc), timedelta(hours=1), "tea", "cake")
	call, err := selfsame.Bind[func(time.Time, time.Duration, ...string) (string, time.Time, error)](f)
	if err != nil {
		panic(err)
	}
	what, when, err := call(time.Date(2026, 7, 1, 15, 0, 0, 0, time.UTC), time.Hour, "tea", "cake")
	fmt.Println(what, when.Format(time.Kitchen), err)
	// Output: tea and cake 5:00PM <nil>
}

// A func that returns an iterator. Its loop runs only as far as the caller asks.
func ExampleNewFunc_iterator() {
	powers, err := selfsame.NewFunc(func(base int) iter.Seq[int] {
		return func(yield func(int) bool) {
			for n := 1; yield(n); n *= base {
			}
		}
	})
	if err != nil {
		panic(err)
	}
	of3, err := selfsame.CallAs[iter.Seq[int]](powers, 3)
	if err != nil {
		panic(err)
	}
	for n := range of3 {
		if n > 100 {
			break
		}
		fmt.Print(n, " ")
	}
	// Output: 1 3 9 27 81
}

// With Plain a dict arrives as Go's own map, and the result is a dict.
func ExamplePlain() {
	count, err := selfsame.NewFunc(func(doc map[string]any) map[string]any {
		return map[string]any{"tags": len(doc["tags"].([]any))}
	}, selfsame.Plain())
	if err != nil {
		panic(err)
	}
	got, err := selfsame.CallAs[map[string]int](count, map[string]any{"tags": []any{"a", "b"}})
	fmt.Println(got, err)
	// Output: map[tags:2] <nil>
}
