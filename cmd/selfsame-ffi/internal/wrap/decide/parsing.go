package decide

import (
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// parsing finds the names of funcs that read a text, and what they call an error of a text.
var (
	parsing = regexp.MustCompile(`^(Parse|Compile|Unmarshal|Decode)([A-Z0-9]|$)|^(Str|String|Text)To[A-Z]|From(String|Text|Hex)$`)
	texts   = []string{"s", "str", "v", "text", "in", "input", "value", "raw", "expr", "expression", "pattern", "query", "spec", "src", "source", "version"}
)

// meanings are what names of errors speak of, with the builtin exceptions that mean it.
var meanings = []struct {
	said *regexp.Regexp
	base string
}{
	{regexp.MustCompile(`Invalid|Malformed|Syntax|Parse|Unparsable|OutOfRange`), "ValueError"},
	{regexp.MustCompile(`NotFound|NotExist|NoSuch|Unknown`), "LookupError"},
	{regexp.MustCompile(`Unsupported|NotSupported|NotImplemented`), "NotImplementedError"},
	{regexp.MustCompile(`Time(d)?Out|Timeout|DeadlineExceeded`), "TimeoutError"},
	{regexp.MustCompile(`Unauthori[sz]ed|Forbidden|Permission`), "PermissionError"},
}

// namesakes are builtin exceptions that errors of a library are named as, such as ErrOverflow.
var namesakes = map[string]bool{
	"OverflowError": true, "TimeoutError": true, "PermissionError": true, "NotImplementedError": true,
	"LookupError": true, "IndexError": true, "EOFError": true, "ConnectionError": true, "BrokenPipeError": true,
	"ConnectionRefusedError": true, "ConnectionResetError": true, "InterruptedError": true,
	"RecursionError": true, "FileExistsError": true, "FileNotFoundError": true, "IsADirectoryError": true,
	"NotADirectoryError": true, "ZeroDivisionError": true, "BufferError": true, "ArithmeticError": true,
	"TypeError": true, "ValueError": true,
}

// parses says whether a func reads a text, so that an error of it of which nothing is known speaks of the text. So does one that
// makes an object of a text, alone or with options, by the name of its parameter: the path of a file is no such text.
func parses(name string, sig *types.Signature) bool {
	if sig.Params().Len() == 0 || sig.Results().Len() == 0 || !isFailure(sig.Results().At(sig.Results().Len()-1).Type()) {
		return false
	}
	first := sig.Params().At(0)
	switch first.Type().String() {
	case "string", "[]byte", "io.Reader":
	default:
		return false
	}
	return parsing.MatchString(name) ||
		strings.HasPrefix(name, "New") && (sig.Params().Len() == 1 || sig.Params().Len() == 2 && sig.Variadic()) && first.Type().String() == "string" && slices.Contains(texts, first.Name())
}

// errorBase returns the builtin exception that an error of a package is too: that of its name's meaning, or ValueError for one which the
// comment of a func that reads a text mentions.
func (d *Decider) errorBase(p *types.Package, name string) string {
	if python := errorName(name); namesakes[python] {
		return python
	}
	for _, m := range meanings {
		if m.said.MatchString(name) {
			return m.base
		}
	}
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	for _, other := range p.Scope().Names() {
		f, ok := p.Scope().Lookup(other).(*types.Func)
		if ok && f.Exported() && parses(other, f.Signature()) && word.MatchString(d.doc(p, other)) {
			return "ValueError"
		}
	}
	return ""
}
