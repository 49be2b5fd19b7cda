package jsontext

import (
	"math"
	"strconv"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
)

var specials = [3]struct {
	word  string
	value abi.Any
}{{"NaN", abi.Float(math.Float64frombits(0x7ff8 << 48))}, {"Infinity", abi.Float(math.Inf(1))}, {"-Infinity", abi.Float(math.Inf(-1))}}

// Print returns the JSON text of a value (borrowed): None, bool, int, float, string, Array, List, or Map with strings as
// keys. indent is the number of spaces per level; 0 gives a text without white space, less than 0 lines without spaces before them.
//
// Errors: ValueError (a value or key of another type, a List inside itself).
func Print(value *abi.Any, indent int) ([]byte, error) {
	p := printer{indent: indent}
	if err := p.value(value); err != nil {
		return nil, err
	}
	for len(p.open) != 0 {
		if err := p.step(&p.open[len(p.open)-1]); err != nil {
			return nil, err
		}
	}
	return p.out, nil
}

type printer struct {
	out    []byte
	indent int
	open   []printing
	lists  map[unsafe.Pointer]bool // the Lists in open
}

// printing is a container that is being printed.
type printing struct {
	handle unsafe.Pointer // borrowed
	index  int32          // the type index
	next   uint64         // the position of its next element
	begun  bool           // an element was printed
}

// value prints a value that has no elements, or the opening bracket of a container.
func (p *printer) value(v *abi.Any) error {
	switch v.TypeIndex {
	case abi.IndexNone:
		p.out = append(p.out, "null"...)
	case abi.IndexBool:
		if v.Bits != 0 {
			p.out = append(p.out, "true"...)
		} else {
			p.out = append(p.out, "false"...)
		}
	case abi.IndexInt:
		p.out = strconv.AppendInt(p.out, v.Int64(), 10)
	case abi.IndexFloat:
		p.out = AppendFloat(p.out, v.Float64())
	case abi.IndexSmallStr, abi.IndexStr:
		text, _, _ := v.Content()
		p.out = AppendQuoted(p.out, text)
	case abi.IndexList:
		if p.lists[v.Pointer()] {
			return failure.Value("Cycle detected: List contains itself")
		}
		if p.lists == nil {
			p.lists = map[unsafe.Pointer]bool{}
		}
		p.lists[v.Pointer()] = true
		p.begin(v, '[', 0)
	case abi.IndexArray:
		p.begin(v, '[', 0)
	case abi.IndexMap:
		p.begin(v, '{', container.MapOf(v.Pointer()).First())
	default:
		return failure.Value("Unsupported type: `%s`", graph.Key(v))
	}
	return nil
}

func (p *printer) begin(v *abi.Any, bracket byte, first uint64) {
	p.out = append(p.out, bracket)
	p.open = append(p.open, printing{handle: v.Pointer(), index: v.TypeIndex, next: first})
}

// step prints the next element of a container, or its closing bracket. If the element is a container, step opens it.
func (p *printer) step(c *printing) error {
	if c.index == abi.IndexMap {
		cell := container.MapOf(c.handle)
		if c.next == container.NoBucket {
			p.end('}')
			return nil
		}
		pair := cell.At(c.next)
		c.next = cell.Next(c.next)
		p.separate(c)
		text, isBytes, ok := pair.Key.Content()
		if !ok || isBytes {
			return failure.Value("Expect key to be string, got `%s`", graph.Key(&pair.Key))
		}
		p.out = append(AppendQuoted(p.out, text), ':')
		if p.indent != 0 {
			p.out = append(p.out, ' ')
		}
		return p.value(&pair.Value)
	}
	items := abi.SeqOf(c.handle).Items()
	if c.next >= uint64(len(items)) {
		if c.index == abi.IndexList {
			delete(p.lists, c.handle)
		}
		p.end(']')
		return nil
	}
	item := &items[c.next]
	c.next++
	p.separate(c)
	return p.value(item)
}

// separate prints the comma between two elements.
func (p *printer) separate(c *printing) {
	if c.begun {
		p.out = append(p.out, ',')
	}
	c.begun = true
	p.newline(len(p.open))
}

func (p *printer) end(bracket byte) {
	p.open = p.open[:len(p.open)-1]
	p.newline(len(p.open))
	p.out = append(p.out, bracket)
}

func (p *printer) newline(depth int) {
	if p.indent == 0 {
		return
	}
	p.out = append(p.out, '\n')
	for n := depth * p.indent; n > 0; n-- {
		p.out = append(p.out, ' ')
	}
}

// AppendFloat appends a float as JSON text that Parse converts to the same float, and not to an integer unless its
// magnitude is 2^53 or more.
func AppendFloat(out []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(out, "NaN"...)
	case math.IsInf(f, 1):
		return append(out, "Infinity"...)
	case math.IsInf(f, -1):
		return append(out, "-Infinity"...)
	case math.Abs(f) < 1<<53 && f == math.Trunc(f):
		// ".0" tells a whole number from an integer.
		if f == 0 && math.Signbit(f) {
			return append(out, "-0.0"...)
		}
		return append(strconv.AppendInt(out, int64(f), 10), '.', '0')
	}
	return strconv.AppendFloat(out, f, 'g', 17, 64)
}

// escapes are the characters after the backslash in each byte's escape: 0 for no escape, 'u' for \u and four digits.
var escapes = func() (table [256]byte) {
	for c := 0; c < ' '; c++ {
		table[c] = 'u'
	}
	table[0x7f] = 'u'
	table['"'], table['\\'], table['/'] = '"', '\\', '/'
	table['\b'], table['\f'], table['\n'], table['\r'], table['\t'] = 'b', 'f', 'n', 'r', 't'
	return
}()

// AppendQuoted appends a string as JSON text, in double quotes.
func AppendQuoted(out, text []byte) []byte {
	out = append(out, '"')
	from := 0
	for i, c := range text {
		escape := escapes[c]
		if escape == 0 {
			continue
		}
		out = append(out, text[from:i]...)
		from = i + 1
		if escape == 'u' {
			const digits = "0123456789abcdef"
			out = append(out, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
			continue
		}
		out = append(out, '\\', escape)
	}
	return append(append(out, text[from:]...), '"')
}
