package selfsame

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// signature is a Go func's type as the ABI sees it.
type signature struct {
	name   string // in messages; empty for anonymous functions
	params []*conv
	hidden int   // how many leading parameters callers do not pass: a constructor's new object, which is also its result
	result *conv // nil: no result
	fails  bool  // the func's last result is an error

	leading  int      // a method's object: callers pass it, but do not count it
	symbol   string   // of the func, by which SourceTexts knows its parameters
	names    []string // of the last len(names) parameters; nil: those of SourceTexts, if it has them
	optional int      // how many of the parameters have defaults

	context  int     // which parameter of the func is its context, which callers do not pass; -1: it has none
	variadic bool    // callers pass any number of values for the last parameter, whose conv is that of a slice
	several  []*conv // of the results, when there are two or more; result is then the conv of their tuple

	callback func() string // of a func that is bound to an argument: what messages call the argument
}

// signatureOptions say how signatureOf reads a func type.
type signatureOptions struct {
	skip  int      // leading parameters that the frontend passes itself
	self  bool     // the first of the others is a method's object
	plain bool     // as the option Plain
	names []string // of the parameters, for messages; may be shorter
}

// signatureOf makes the signature of a func type.
func signatureOf(name string, t reflect.Type, o signatureOptions) (*signature, error) {
	s := &signature{name: name, context: -1, variadic: t.IsVariadic()}
	lookup := convFor
	if o.plain {
		lookup = plainConvFor
	}
	first := o.skip
	if o.self {
		first++
	}
	for i := o.skip; i < t.NumIn(); i++ {
		in := t.In(i)
		if in == contextType && s.context < 0 && (i == o.skip || i == first) {
			s.context = i
			continue
		}
		c, err := lookup(in)
		if err == nil && s.variadic && i == t.NumIn()-1 && c.element == nil { // ...byte: not Bytes, but numbers
			if c, err = sliceConv(in, lookup); err == nil {
				c.goType, c.fast, c.plain = in, noFastPath, noPlain
			}
		}
		if err == nil && c.onlyResult != "" {
			err = newError("TypeError", "%s %s", in, c.onlyResult)
		}
		if err != nil {
			return nil, newError("TypeError", "selfsame: %s: %s: %s", describe(name, t), o.parameter(i-o.skip, len(s.params)), reason(err))
		}
		if c.named != nil {
			k := len(s.params)
			c = c.named(func() string { return s.callbackName(k) })
		}
		s.params = append(s.params, c)
	}
	results := t.NumOut()
	if results > 0 && t.Out(results-1) == errorType {
		s.fails = true
		results--
	}
	for i := range results {
		c, err := lookup(t.Out(i))
		if err == nil && c.onlyParameter != "" {
			err = newError("TypeError", "%s %s", t.Out(i), c.onlyParameter)
		}
		if err != nil {
			which := "result"
			if results > 1 {
				which = fmt.Sprintf("result %d", i)
			}
			return nil, newError("TypeError", "selfsame: %s: %s: %s", describe(name, t), which, reason(err))
		}
		s.several = append(s.several, c)
	}
	switch results {
	case 0:
	case 1:
		s.result, s.several = s.several[0], nil
	default:
		s.result = resultsConv(s.several)
	}
	if o.plain && s.result != nil {
		s.result = plainResult(s.result)
	}
	return s, nil
}

// adapted says whether a call of the func needs more than one Go argument for each parameter and one Go result.
func (s *signature) adapted() bool { return s.context >= 0 || s.variadic || s.several != nil }

// fixed returns how many of the parameters are not the last one of a variadic func.
func (s *signature) fixed() int {
	if s.variadic {
		return len(s.params) - 1
	}
	return len(s.params)
}

// parameter names a parameter in messages: the func's parameter i, of which callers know as their argument number k; a method's
// object counts in both.
func (o *signatureOptions) parameter(i, k int) string {
	if o.self {
		k--
	}
	if k >= 0 && k < len(o.names) {
		name, _, _ := strings.Cut(o.names[k], "=")
		return fmt.Sprintf("parameter %d '%s'", i, name)
	}
	return fmt.Sprintf("parameter %d", i)
}

// describe names a func in messages: by its registered name, if any, and its Go type.
func describe(name string, t reflect.Type) string {
	if name == "" {
		return t.String()
	}
	return fmt.Sprintf("%s (%s)", name, t)
}

// String returns the signature as it stands in messages.
func (s *signature) String() string {
	visible := s.params[s.hidden:]
	params := make([]string, len(visible))
	for i, p := range visible {
		params[i] = strconv.Itoa(i) + ": " + p.name()
	}
	if s.variadic {
		params[len(params)-1] += "..."
	}
	result := "void"
	if s.result != nil {
		result = s.result.name()
	}
	return s.name + "(" + strings.Join(params, ", ") + ") -> " + result
}

// schema returns the type_schema of the function. self is the schema of a leading object parameter, "" if there is none.
func (s *signature) schema(self string) string {
	args := []string{leafSchema("None")}
	if s.result != nil {
		args[0] = s.result.schema()
	}
	if self != "" {
		args = append(args, self)
	}
	for _, p := range s.params {
		args = append(args, p.schema())
	}
	return nestedSchema("ffi.Function", args...)
}

// classes returns the classes of the parameters and the result.
func (s *signature) classes() []*class {
	var out []*class
	for _, p := range s.params {
		out = append(out, p.classes...)
	}
	if s.result != nil {
		out = append(out, s.result.classes...)
	}
	return out
}
