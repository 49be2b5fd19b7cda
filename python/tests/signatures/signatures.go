// Package signatures is a Go package for the Python tests: funcs with every kind of signature.
package signatures

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/selfsame-ffi/selfsame"
)

// Options say how to search.
type Options struct {
	MaxDepth int           `doc:"how deep"`
	Timeout  time.Duration `doc:"how long"`
	Since    time.Time
	Names    []string
	Inner    *Inner
}

// Inner is part of Options.
type Inner struct {
	Weight float64
	Tags   map[string]bool
}

// Semver has a JSON form of its own.
type Semver struct{ major, minor int }

// MarshalJSON implements json.Marshaler.
func (v Semver) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"text": fmt.Sprintf("%d.%d", v.major, v.minor), "parts": []int{v.major, v.minor}})
}

// Counter is a class whose methods have the same kinds of signatures.
type Counter struct {
	selfsame.Object
	N int64 // N is the number.
}

// Add adds numbers.
func (c *Counter) Add(ctx context.Context, numbers ...int64) (int64, error) {
	for _, n := range numbers {
		c.N += n
	}
	return c.N, ctx.Err()
}

// Upto iterates.
func (c *Counter) Upto() iter.Seq[int64] {
	n := c.N
	return func(yield func(int64) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// Same says whether another counter counts to the same number.
func (c *Counter) Same(other *Counter) bool { return c.N == other.N }

// Labelled returns a text with the number. Its parameter has a name in the source only.
func (c *Counter) Labelled(text string) string { return fmt.Sprint(text, " ", c.N) }

// Blob has bytes.
type Blob struct {
	selfsame.Object
	Data selfsame.Bytes
}

// BlobClass is the class of Blob.
var BlobClass = selfsame.MustRegister[Blob]("signatures.Blob", selfsame.Init(func(*Blob) {}))

// Lists has containers.
type Lists struct {
	selfsame.Object
	Words selfsame.List[string]
	Table selfsame.Map[string, []int64]
}

// ListsClass is the class of Lists.
var ListsClass = selfsame.MustRegister[Lists]("signatures.Lists", selfsame.Init(func(*Lists) {}))

// Gauge is another class.
type Gauge struct{ selfsame.Object }

// GaugeClass is the class of Gauge.
var GaugeClass = selfsame.MustRegister[Gauge]("signatures.Gauge", selfsame.Init(func(*Gauge) {}))

// CounterClass is the class of Counter.
var CounterClass = selfsame.MustRegister[Counter]("signatures.Counter",
	selfsame.KeepGIL(),
	selfsame.Init(func(c *Counter, start ...int64) {
		for _, n := range start {
			c.N += n
		}
	}),
	selfsame.Method("add", (*Counter).Add, ""),
	selfsame.Method("same", (*Counter).Same, ""),
	selfsame.Method("labelled", (*Counter).Labelled, ""),
	selfsame.Method("upto", (*Counter).Upto, "Iterates up to the number."))

var cancelled, looping atomic.Int64

// waitUntilCancelled waits for the end of its context.
func waitUntilCancelled(ctx context.Context, limit time.Duration) (string, error) {
	select {
	case <-ctx.Done():
		cancelled.Add(1)
		return "", fmt.Errorf("stopped: %w", ctx.Err())
	case <-time.After(limit):
		return "waited", nil
	}
}

// shift moves a time.
//
// The zone stays.
func shift(at time.Time, by time.Duration) (time.Time, time.Duration) { return at.Add(by), -by }

func join(sep string, parts ...string) string { return strings.Join(parts, sep) }

func divide(a, b int64) (quotient, remainder int64, err error) {
	if b == 0 {
		return 0, 0, selfsame.Errorf("ZeroDivisionError", "division by zero")
	}
	return a / b, a % b, nil
}

func norm(x, scale float64) float64 { return x * scale }

func search(text string, depth int64, tags []string, options map[string]string, strict bool) string {
	return fmt.Sprint(text, depth, tags, len(options), strict)
}

func squares(ctx context.Context) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		looping.Add(1)
		defer looping.Add(-1)
		for i := int64(0); yield(i * i); i++ {
		}
	}
}

func ticks(n int) <-chan string {
	ch := make(chan string)
	go func() {
		defer close(ch)
		for i := range n {
			ch <- fmt.Sprint("tick ", i)
		}
	}()
	return ch
}

func total(values iter.Seq[float64]) (sum float64) {
	for v := range values {
		sum += v
	}
	return sum
}

func firstOf(values iter.Seq[any]) any {
	for v := range values {
		return v
	}
	return nil
}

func upper(from io.Reader, to io.Writer) (int64, error) {
	data, err := io.ReadAll(from)
	if err != nil {
		return 0, err
	}
	return io.Copy(to, bytes.NewReader(bytes.ToUpper(data)))
}

type brokenFile struct{ closed *atomic.Int64 }

func (brokenFile) Read([]byte) (int, error)  { return 0, io.ErrUnexpectedEOF }
func (brokenFile) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
func (b brokenFile) Close() error            { b.closed.Add(1); return nil }

var closed atomic.Int64

func eachOf(values []int64, visit func(int64) int64) (out []int64) {
	for _, v := range values {
		out = append(out, visit(v))
	}
	return out
}

func init() {
	reg := selfsame.MustRegisterFunc // another name: docs and parameter names are found by the func, not by the call
	reg("signatures.short", func(data []byte) int { return len(data) }, selfsame.KeepGIL())
	reg("signatures.shift", shift)
	reg("signatures.join", join)
	reg("signatures.divide", divide)
	reg("signatures.norm", norm)
	reg("signatures.narrow", func(level int8) int8 { return level })
	reg("signatures.size", func(data []byte) int { return len(data) })
	reg("signatures.ticking", func() bool { return false })
	reg("signatures.wait", waitUntilCancelled)
	reg("signatures.search", search, selfsame.Doc("Searches.\n\nMore of it."),
		selfsame.ArgNames("text", "depth=3", "tags=[]", "options={}", "strict=false"))
	reg("signatures.squares", squares)
	reg("signatures.ticks", ticks)
	reg("signatures.total", total)
	reg("signatures.first_of", firstOf)
	reg("signatures.upper", upper)
	reg("signatures.each_of", eachOf)
	reg("signatures.pairs_of", func(makePairs func(int64) []int64) []int64 { return makePairs(1) })
	reg("signatures.both_of", func(makeBoth func(int64) (string, bool, error)) (string, bool, error) { return makeBoth(1) })
	reg("signatures.text_of", func(make func() (string, error)) (string, error) { return make() })
	reg("signatures.next_of", func(n uint64) uint64 { return n + 1 })
	reg("signatures.raw_text", func() string { return "\xff" })
	reg("signatures.raw_texts", func() (int, map[string]string) { return 1, map[string]string{"a": "\xff"} })
	reg("signatures.cancelled", func() int64 { return cancelled.Load() })
	reg("signatures.never", func() <-chan int { return make(chan int) })
	reg("signatures.looping", func() int64 { return looping.Load() })
	reg("signatures.closed", func() int64 { return closed.Load() })
	reg("signatures.sleep", func(d time.Duration) { time.Sleep(d) })
	reg("signatures.items", func(m map[string]int64) iter.Seq2[string, int64] {
		return func(yield func(string, int64) bool) {
			for _, k := range slices.Sorted(maps.Keys(m)) {
				if !yield(k, m[k]) {
					return
				}
			}
		}
	})
	reg("signatures.collect", func(pairs iter.Seq2[string, int64]) map[string]int64 { return maps.Collect(pairs) })
	reg("signatures.failing", func() iter.Seq[int64] {
		return func(yield func(int64) bool) {
			yield(1)
			panic(selfsame.Errorf("KeyError", "no more"))
		}
	})
	reg("signatures.open", func(text string) io.Reader { return strings.NewReader(text) })
	reg("signatures.broken", func() io.ReadWriteCloser { return brokenFile{&closed} })
	reg("signatures.deeper", func(o Options) (*Options, error) {
		if o.MaxDepth < 0 {
			return nil, errors.New("negative")
		}
		o.MaxDepth++
		return &o, nil
	})
	reg("signatures.semver", func(major, minor int) Semver { return Semver{major, minor} })
	reg("signatures.conjugate", func(z complex128) complex128 { return complex(real(z), -imag(z)) })
	reg("signatures.power", func(base *big.Int, exponent *int64) *big.Int {
		if exponent == nil {
			return nil
		}
		return new(big.Int).Exp(base, big.NewInt(*exponent), nil)
	})
	reg("signatures.reversed", func(v [3]string) [3]string { return [3]string{v[2], v[1], v[0]} })
	//lint:ignore ST1008 an error as a value
	reg("signatures.outcome", func(fail bool) (error, string) {
		if fail {
			return io.ErrShortBuffer, "failed"
		}
		return nil, "fine"
	})
	reg("signatures.plain", func(doc map[string]any) map[string]any {
		types := map[string]any{}
		for k, v := range doc {
			types[k] = fmt.Sprintf("%T", v)
		}
		return map[string]any{"types": types, "doc": doc, "list": []any{1, []any{"x"}, map[string]any{}}}
	}, selfsame.Plain())
}
