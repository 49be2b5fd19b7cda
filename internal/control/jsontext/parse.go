package jsontext

import (
	"strconv"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
)

// Parse makes the value that a JSON text describes; the caller owns it. Parse neither changes nor keeps the text.
//
// Beyond the standard it accepts NaN, Infinity and -Infinity, numbers with leading zeros, with a plus sign or without
// digits on one side of the point, and bytes that are not UTF-8. Of properties with equal names the last one counts.
//
// Errors: ValueError that names the line, column and byte offset; MemoryError.
func Parse(text []byte) (abi.Any, error) {
	p := parser{text: text, line: 1, out: graph.NewBuilder()}
	if err := p.document(); err != nil {
		p.out.Abandon()
		return abi.Any{}, err
	}
	return p.out.Finish()
}

type parser struct {
	text      []byte
	at        int // the offset of the next byte
	line      int // its line, from 1
	lineStart int // the offset of that line
	open      []open
	out       graph.Builder
}

// open is a container whose end the parser has not reached.
type open struct {
	object bool
	start  int // how many values were pushed before its elements
}

// fail makes the error for an offset in the present line.
func (p *parser) fail(at int, message string) error {
	return failure.Value("%s: line %d column %d (char %d)", message, p.line, at-p.lineStart+1, at)
}

const (
	wantValue    = "Expecting value"
	wantName     = "Expecting property name enclosed in double quotes"
	wantColon    = "Expecting ':' delimiter"
	wantComma    = "Expecting ',' delimiter"
	unterminated = "Unterminated string starting at"
	badEscape    = "Invalid \\escape"
	badUnicode   = "Invalid \\uXXXX escape"
	badPair      = "Invalid surrogate pair of \\uXXXX escapes"
	badControl   = "Invalid control character at"
	extraData    = "Extra data"
	endTooEarly  = "Syntax error near"
)

// peek returns the next byte, 0 at the end of the text. A NUL in the text is 0 too: it is an error outside of strings.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// space skips white space.
func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\r':
		case '\n':
			p.line++
			p.lineStart = p.at + 1
		default:
			return
		}
		p.at++
	}
}

// document parses the whole text.
func (p *parser) document() error {
	p.space()
	for {
		opened, err := p.value()
		if err != nil {
			return err
		}
		if !opened {
			if err := p.afterValue(); err != nil {
				return err
			}
			if len(p.open) == 0 {
				break
			}
		}
	}
	p.space()
	if p.at != len(p.text) {
		return p.fail(p.at, extraData)
	}
	return nil
}

// value parses a value that has no elements, or the beginning of a container up to its first value (opened).
func (p *parser) value() (opened bool, err error) {
	p.space()
	if p.at == len(p.text) {
		return false, p.fail(p.at, wantValue)
	}
	switch p.text[p.at] {
	case '{':
		opened, err = p.begin(true, '}', abi.IndexMap, wantName)
		if opened {
			err = p.property()
		}
		return opened, err
	case '[':
		return p.begin(false, ']', abi.IndexArray, wantValue)
	case '"':
		text, err := p.quoted()
		if err == nil {
			p.out.Str(text)
		}
		return false, err
	case 't':
		return false, p.literal("true", abi.Bool(true))
	case 'f':
		return false, p.literal("false", abi.Bool(false))
	case 'n':
		return false, p.literal("null", abi.None())
	}
	return false, p.number()
}

func (p *parser) literal(word string, v abi.Any) error {
	if len(p.text)-p.at < len(word) || graph.View(p.text[p.at:p.at+len(word)]) != word {
		return p.fail(p.at, wantValue)
	}
	p.at += len(word)
	p.out.Push(v)
	return nil
}

// begin parses the beginning of an array or object, and all of an empty one, which it makes of the type index.
func (p *parser) begin(isObject bool, end byte, index int32, want string) (opened bool, err error) {
	p.at++
	p.space()
	if p.at == len(p.text) {
		return false, p.fail(p.at, want)
	}
	if p.text[p.at] == end {
		p.at++
		return false, p.out.Close(index, 0)
	}
	p.open = append(p.open, open{isObject, p.out.Len()})
	return true, nil
}

// property parses a name and the colon after it.
func (p *parser) property() error {
	if p.peek() != '"' {
		return p.fail(p.at, wantName)
	}
	name, err := p.quoted()
	if err != nil {
		return err
	}
	p.out.Name(name)
	p.space()
	if p.peek() != ':' {
		return p.fail(p.at, wantColon)
	}
	p.at++
	return nil
}

// afterValue closes the containers that end after a value, and skips to the next value.
func (p *parser) afterValue() error {
	for len(p.open) != 0 {
		top := p.open[len(p.open)-1]
		p.space()
		end, index := byte(']'), abi.IndexArray
		if top.object {
			end, index = '}', abi.IndexMap
		}
		switch p.peek() {
		case end:
			p.at++
			p.open = p.open[:len(p.open)-1]
			if err := p.out.Close(index, p.out.Len()-top.start); err != nil {
				return err
			}
			continue
		case ',':
			p.at++
			p.space()
			if p.at == len(p.text) {
				return p.fail(p.at, endTooEarly)
			}
			if top.object {
				return p.property()
			}
			return nil
		}
		return p.fail(p.at, wantComma)
	}
	return nil
}

// quoted parses a string. The result is a part of the text if it has no escapes.
func (p *parser) quoted() ([]byte, error) {
	start := p.at
	text := p.text
	for i := start + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			p.at = i + 1
			return text[start+1 : i], nil
		case c == '\\' || c < ' ':
			p.at = i
			return p.escaped(start)
		}
	}
	return nil, p.fail(start, unterminated)
}

// escaped parses the rest of a string from its first escape; start is the offset of the string.
func (p *parser) escaped(start int) ([]byte, error) {
	out := append(make([]byte, 0, p.at-start+32), p.text[start+1:p.at]...)
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case c < ' ':
			return nil, p.fail(p.at, badControl)
		case c == '"':
			p.at++
			return out, nil
		case c != '\\':
			out = append(out, c)
			p.at++
			continue
		}
		p.at++
		c = p.peek()
		switch c {
		case '"', '\\', '/':
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, err := p.codePoint()
			if err != nil {
				return nil, err
			}
			out = utf8.AppendRune(out, r)
			continue
		default:
			return nil, p.fail(p.at, badEscape)
		}
		p.at++
		out = append(out, c)
	}
	return nil, p.fail(start, unterminated)
}

// codePoint parses the rest of an escape after the backslash: u and four digits, and a second such escape if the first is
// half of a surrogate pair.
func (p *parser) codePoint() (rune, error) {
	u := p.at
	first, ok := p.hex4(u + 1)
	if !ok {
		return 0, p.fail(u, badUnicode)
	}
	p.at = u + 5
	if first < 0xd800 || first > 0xdfff {
		return first, nil
	}
	if first >= 0xdc00 || p.at+2 > len(p.text) || p.text[p.at] != '\\' || p.text[p.at+1] != 'u' {
		return 0, p.fail(u, badPair)
	}
	p.at += 2
	second, ok := p.hex4(p.at)
	if !ok {
		return 0, p.fail(p.at, badUnicode)
	}
	if second < 0xdc00 || second > 0xdfff {
		return 0, p.fail(p.at, badPair)
	}
	p.at += 4
	return (first-0xd800)<<10 + (second - 0xdc00) + 0x10000, nil
}

// hex4 returns the number that the four hexadecimal digits at an offset form; ok is false when there are none.
func (p *parser) hex4(at int) (r rune, ok bool) {
	if at+4 > len(p.text) {
		return 0, false
	}
	for _, c := range p.text[at : at+4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// number parses an integer, a float or one of the special floats.
func (p *parser) number() error {
	start := p.at
	text := p.text
	i := start
	integer, digits := true, 0
	if text[i] == '-' {
		i++
	}
	if i < len(text) && (text[i] == 'I' || text[i] == 'N' && i == start) {
		return p.special()
	}
	value := uint64(0)
	for ; i < len(text); i++ {
		c := text[i]
		if '0' <= c && c <= '9' {
			value = value*10 + uint64(c-'0')
			digits++
			continue
		}
		if c == '.' || c == 'e' || c == 'E' {
			integer = false
		} else if c != '+' && c != '-' {
			break
		} else {
			digits = 99 // a sign that is not in front: leave the number to strconv
		}
	}
	token := text[start:i]
	if len(token) == 0 {
		return p.fail(start, wantValue)
	}
	p.at = i
	if integer && digits > 0 && digits <= 18 {
		v := int64(value)
		if token[0] == '-' {
			v = -v
		}
		p.out.Push(abi.Int(v))
		return nil
	}
	v, ok := convert(graph.View(token), integer)
	if !ok {
		return p.fail(start, wantValue)
	}
	p.out.Push(v)
	return nil
}

// convert converts a number; ok is false when it is none, or a float that is out of range.
func convert(token string, integer bool) (v abi.Any, ok bool) {
	if integer {
		if v, err := strconv.ParseInt(token, 10, 64); err == nil {
			return abi.Int(v), true
		}
	}
	f, err := strconv.ParseFloat(token, 64)
	if err != nil || f == 0 && !isZero(token) {
		return abi.Any{}, false
	}
	return abi.Float(f), true
}

// isZero reports whether a number that converts to 0 is a zero, and not too small for a float.
func isZero(token string) bool {
	for _, c := range []byte(token) {
		if '1' <= c && c <= '9' {
			return false
		}
		if c == 'e' || c == 'E' {
			return true
		}
	}
	return true
}

// special parses NaN, Infinity or -Infinity.
func (p *parser) special() error {
	rest := p.text[p.at:]
	for _, special := range specials {
		if len(rest) >= len(special.word) && graph.View(rest[:len(special.word)]) == special.word {
			p.at += len(special.word)
			p.out.Push(special.value)
			return nil
		}
	}
	return p.fail(p.at, wantValue)
}
