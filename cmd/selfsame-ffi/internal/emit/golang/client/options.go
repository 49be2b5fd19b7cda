package client

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// options is a struct for the parameters of a func that have defaults in Python.
type options struct {
	id     string
	first  int      // the position of the first of them
	fields []string // their names in the struct
}

// fewestOptions is how many parameters with defaults a func has that takes them in a struct; fewer are parameters in Go too.
const fewestOptions = 2

// options writes the struct, and the func that returns the defaults. It returns nil for a func that needs none.
func (w *writer) options(f *callable, types, names []string) *options {
	first := len(types)
	var values []string
	for i := len(f.ArgDefaults) - 1; i >= 0 && first > 0 && !f.Variadic; i-- {
		value, ok := goLiteral(f.ArgDefaults[i], types[first-1])
		if !ok {
			break
		}
		first--
		values = append([]string{value}, values...)
	}
	if len(values) < fewestOptions {
		return nil
	}
	of := strings.TrimPrefix(f.receiver, "*") + f.id
	if f.Name == initName {
		of = strings.TrimPrefix(of, "New")
	}
	made := &options{id: w.names.take(of + "Options"), first: first}
	defaults := w.names.take("Default" + made.id)
	fields := newScope()
	w.out.Comment(made.id+" are the arguments of ["+strings.Trim(strings.TrimPrefix(f.receiver, "*")+"."+f.id, ".")+"] that have defaults.", "")
	w.line("type %s struct {", made.id)
	for i, name := range names[first:len(types)] {
		field := fields.take(exported(name))
		if original := first + i; original < len(f.ArgNames) && f.ArgNames[original] != "" {
			delete(fields.taken, field)
			field = fields.take(exported(f.ArgNames[original]))
		}
		made.fields = append(made.fields, field)
		w.line("%s %s", field, types[first+i])
	}
	w.line("}")
	w.line("")
	w.out.Comment(defaults+" returns the options that Python callers have by default.", "")
	w.line("func %s() *%s {", defaults, made.id)
	w.line("return &%s{", made.id)
	for i, value := range values {
		if value != "" {
			w.line("%s: %s,", made.fields[i], value)
		}
	}
	w.line("}")
	w.line("}")
	w.line("")
	return made
}

// goLiteral returns a literal of Python as one of a Go type, "" for its zero value. ok is false when it is none of the type.
func goLiteral(text, goType string) (value string, ok bool) {
	inner, optional := strings.CutPrefix(goType, "selfsame.Optional[")
	if optional && text != "None" {
		value, ok = goLiteral(text, strings.TrimSuffix(inner, "]"))
		if value == "" {
			value = map[string]string{"string": `""`, "bool": "false"}[strings.TrimSuffix(inner, "]")]
		}
		if value == "" {
			value = "0"
		}
		return "selfsame.Some[" + strings.TrimSuffix(inner, "]") + "](" + value + ")", ok
	}
	nilable := strings.HasPrefix(goType, "*") || strings.HasPrefix(goType, "func(") || goType == "any" || goType == "selfsame.Native" || optional
	switch {
	case text == "None":
		return "", nilable
	case text == "True" || text == "False":
		return map[string]string{"True": "true"}[text], goType == "bool" || goType == "any" && text == "True"
	case strings.HasPrefix(text, `"`):
		unquoted, err := strconv.Unquote(text)
		if err != nil || goType != "string" && goType != "any" {
			return "", false
		}
		if unquoted == "" && goType == "string" {
			return "", true
		}
		return escape.GoString(unquoted), true
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		switch goType {
		case "int64", "float64":
			return map[bool]string{false: text}[n == 0], true
		case "any":
			return "int64(" + text + ")", true
		}
		return "", false
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil && (goType == "float64" || goType == "any") {
		return strconv.FormatFloat(x, 'g', -1, 64), true
	}
	return "", false
}

// documented writes the doc comment of a func: what its documentation says first becomes the first sentence, where that begins with a
// verb.
func (w *writer) documented(f *callable, given *options) {
	first, doc := f.first, strings.TrimSpace(f.Doc)
	sentence, rest := firstSentence(doc)
	verb, object, _ := strings.Cut(sentence, " ")
	verb = strings.ToLower(verb)
	switch isConstructor := f.Name == initName; {
	case object != "" && verbs[verb]:
		first = f.id + " " + thirdPerson(verb) + " " + object
	case verb == "the" && !isConstructor && f.Typed && f.Result.Type != "None" && !states.MatchString(object):
		first = f.id + " returns the " + object
	}
	if first != f.first {
		_, calls, _ := strings.Cut(f.first, " ")
		first, doc = strings.TrimSuffix(first, ".")+".", strings.TrimSpace(rest+"\n\nIt "+calls)
	}
	if given != nil {
		doc = strings.TrimSpace(doc + "\n\nWithout options, those of [Default" + given.id + "] hold.")
	}
	w.out.Comment(first, doc)
}

// states matches a sentence that says something of its subject: it is more than a name for the result.
var states = regexp.MustCompile(` (is|are|has|have|may|can|must|should|will|does|holds?) `)

// firstSentence splits a documentation behind its first sentence, which may have several lines.
func firstSentence(doc string) (sentence, rest string) {
	paragraph, more, _ := strings.Cut(doc, "\n\n")
	paragraph = strings.Join(strings.Fields(paragraph), " ")
	if i := strings.Index(paragraph, ". "); i >= 0 {
		return paragraph[:i+1], paragraph[i+2:] + "\n\n" + more
	}
	return paragraph, more
}

// verbs are what the documentation of a function begins with, in the imperative.
var verbs = func() map[string]bool {
	known := map[string]bool{}
	for _, verb := range strings.Fields(`accept add advance allocate analyze annotate append apply assign attach begin bind broadcast build
		cache calculate call canonicalize cast change check clear clone collect combine compare compile compute concat concatenate connect
		construct convert copy count create decompose define delete deserialize detect determine disable draw drop emit enable end enter
		estimate evaluate execute exit expand export extract fill filter find flatten fold fork format fuse gather generate get infer inject
		inline insert inspect invoke iterate join legalize lift list load look lower make map mark match merge modify move normalize open
		optimize pad parse partition perform permute pop prepare print process propagate prove push put query read rebuild record reduce
		register remove rename render reorder replace reset reshape resolve restore return reverse rewrite roll rollback run sample save
		schedule search select send serialize set show simplify skip sort split squeeze stack start stop store substitute take test
		trace transform transpose traverse tune turn unify union unpack unroll update use validate verify visit wait walk wrap write`) {
		known[verb] = true
		known[thirdPerson(verb)] = true
	}
	return known
}()

// thirdPerson returns a verb as "it" takes it: fill becomes fills. A verb that ends so already stays.
func thirdPerson(verb string) string {
	switch {
	case strings.HasSuffix(verb, "back"):
		return strings.TrimSuffix(verb, "back") + "s back"
	case strings.HasSuffix(verb, "ss") || strings.HasSuffix(verb, "sh") || strings.HasSuffix(verb, "ch") || strings.HasSuffix(verb, "x"):
		return verb + "es"
	case strings.HasSuffix(verb, "s"):
		return verb
	case strings.HasSuffix(verb, "y") && !strings.HasSuffix(verb, "ay"):
		return strings.TrimSuffix(verb, "y") + "ies"
	}
	return verb + "s"
}

// isPrivate says whether a name is one that its library has for itself or for its tests: a part of it begins with an underscore, or is
// called testing.
func isPrivate(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if strings.HasPrefix(part, "_") && part != initName || part == "testing" {
			return true
		}
	}
	return false
}

// WithoutPrivate removes the functions and methods that a library has for itself and for its tests.
func WithoutPrivate(content *model.Library) {
	prefix := CommonNamespace(content)
	keep := func(functions []model.Function) []model.Function {
		var kept []model.Function
		for _, f := range functions {
			if !isPrivate(strings.TrimPrefix(f.Name, prefix)) {
				kept = append(kept, f)
			}
		}
		return kept
	}
	content.Functions = keep(content.Functions)
	for i := range content.Classes {
		content.Classes[i].Methods = keep(content.Classes[i].Methods)
	}
}
