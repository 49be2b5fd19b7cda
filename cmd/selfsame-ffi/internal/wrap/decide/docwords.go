package decide

import (
	"regexp"
	"strings"
	"unicode"
)

// goTerms replaces the terms of Go by those of Python, one after the other.
var goTerms = []struct {
	find *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`(?i)\b(?:a )?nil[- ]pointers?\b`), "None"},
	{regexp.MustCompile(`\bnil\b`), "None"},
	{regexp.MustCompile(`\btrue\b`), "True"},
	{regexp.MustCompile(`\bfalse\b`), "False"},
	{regexp.MustCompile(`\b(?:[Aa]|the) pointer to (an?|the|its|this)\b`), "$1"},
	{regexp.MustCompile(`\b(the |a )?pointers? to (\w)`), "$1$2"},
	{regexp.MustCompile(`\b(non-None|valid) pointer\b`), "value that is not None"},
	{regexp.MustCompile(`\bpointer(s?) receivers?\b`), "object$1"},
	{regexp.MustCompile(`\bpointer(s?)\b`), "reference$1"},
	{regexp.MustCompile(`\bgoroutine(s?)\b`), "thread$1"},
	{regexp.MustCompile(`\bGoroutine(s?)\b`), "Thread$1"},
	{regexp.MustCompile(`\bpanics\b`), "raises an exception"},
	{regexp.MustCompile(`\bpanicked\b`), "raised an exception"},
	{regexp.MustCompile(`\bpanicking\b`), "raising an exception"},
	{regexp.MustCompile(`\b(a|the|any) (runtime )?panic\b`), "$1n exception"},
	{regexp.MustCompile(`\b(will|to|may|can|could|should|would|must|not|never|and|or) panic\b`), "$1 raise an exception"},
	{regexp.MustCompile(`\bpanics?\b`), "exception"},
	{regexp.MustCompile(`\b(the|any)n exception\b`), "$1 exception"},
	{regexp.MustCompile(`\b(?:a|A) (?:\[\]byte|byte slice|slice of bytes)(\W|$)`), "bytes$1"},
	{regexp.MustCompile(`(\[\]byte|\bbyte slice|\bslice of bytes)\b`), "bytes"},
	{regexp.MustCompile(`\b(byte slices|slices of bytes)\b`), "bytes objects"},
	{regexp.MustCompile(`\b(a|the|this|that|each|same|of|input|output|returned|given|new|nil|None|empty|sub|string) ?slice\b`), "$1 list"},
	{regexp.MustCompile(`\bslice (of|is|containing|with|that|argument|element|value)\b`), "list $1"},
	{regexp.MustCompile(`\bslices\b`), "lists"},
	{regexp.MustCompile(`\bslice\b`), "list"},
	{regexp.MustCompile(`\[\]\*?([A-Za-z]\w*)\b`), "list[$1]"},
	{regexp.MustCompile(`\bfuncs\b`), "functions"},
	{regexp.MustCompile(`\bfunc\b`), "function"},
	{regexp.MustCompile(`\b(?:interface\{\}|empty interface)`), "object"},
	{regexp.MustCompile(`\bdict\[string, `), "dict[str, "},
	{regexp.MustCompile(`\b(dict\[\w+, )(?:any|object)\]`), "${1}Any]"},
	{regexp.MustCompile(`\b(dict\[\w+, (?:list\[)?)string\]`), "${1}str]"},
	{regexp.MustCompile(`\b[iu]nt(?:8|16|32|64)s\b`), "ints"},
	{regexp.MustCompile(`\buint\b|\bu?int(?:8|16|32|64)\b`), "int"},
	{regexp.MustCompile(`\bfloat(?:32|64)s\b`), "floats"},
	{regexp.MustCompile(`\bfloat(?:32|64)\b`), "float"},
	{regexp.MustCompile(`\bcontext\.Context\b`), "context"},
	{regexp.MustCompile(`\btime\.Duration\b`), "timedelta"},
	{regexp.MustCompile(`\btime\.Time\b`), "datetime"},
	{regexp.MustCompile(`\b(is|are|be) returned as (?:an )?error\b`), "$1 raised"},
	{regexp.MustCompile(`\b(An|an) error (is|will be) returned\b`), "$1 exception $2 raised"},
	{regexp.MustCompile(`\b([A-Z]\w*Error) (is|will be) returned\b`), "$1 $2 raised"},
	{regexp.MustCompile(`\breturn(s?) an error\b`), "raise$1 an exception"},
	{regexp.MustCompile(`\bReturns an error\b`), "Raises an exception"},
	{regexp.MustCompile(`\breturn(s?) ([A-Z]\w*Error)\b`), "raise$1 $2"},
}

// inWordsOfPython replaces terms of Go in a line of a comment.
func inWordsOfPython(line string) string {
	for _, term := range goTerms {
		line = term.find.ReplaceAllString(line, term.with)
	}
	return line
}

// verbs says whether a sentence whose first word is a name goes on as one that speaks of it: "Close returns any error".
var speaksOf = regexp.MustCompile(`^ (?:\w+ly )?(?:[a-z]+s|will|can|may|must|should|has) `)

// isUnlikeEnglish says whether the name of a parameter cannot be a word of an English sentence, as rangeStart, dst and r cannot.
func isUnlikeEnglish(name string) bool {
	switch name {
	case "a", "i", "":
		return false
	case "addr", "args", "buf", "cap", "cb", "conf", "err", "expr", "idx", "iter", "len", "opt", "opts", "param", "params", "prev", "req", "res", "resp":
		return true
	}
	if strings.IndexFunc(name[1:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) || r == '_' }) >= 0 {
		return true
	}
	return len(name) == 1 || !strings.ContainsAny(name, "aeiouy")
}

// quoted finds a word that a comment quotes as code: `x`, 'x', "x" or ‘x’.
var quoted = regexp.MustCompile("[`'\"‘]([A-Za-z_]\\w*)[`'\"’]")

// parameterNames writes the names of parameters in a line as code, in the spelling of Python: params has those of Python by those of
// Go. A name that may be a word of English is one where the comment quotes it.
func parameterNames(line string, params map[string]string) string {
	if len(params) == 0 {
		return line
	}
	line = quoted.ReplaceAllStringFunc(line, func(found string) string {
		if python := params[quoted.FindStringSubmatch(found)[1]]; python != "" {
			return "`" + python + "`"
		}
		return found
	})
	return words.ReplaceAllStringFunc(line, func(found string) string {
		python := params[found]
		if python == "" || !isUnlikeEnglish(found) {
			return found
		}
		return "`" + python + "`"
	})
}

// words finds words, with what is around them where that shows that they are no parameters: code in quotes, parts of other names.
var words = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|'[^' ]*'|[\\w.]*\\.\\w+|\\w+(?:\\.\\w+)+|\\w+")
