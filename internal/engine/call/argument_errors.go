package selfsame

import (
	"fmt"
	"strings"
)

// Errors of wrong arguments. Where the function and the parameter have names, an error begins with both, and calls types as
// Python does. Otherwise it has the text that C++ functions give, which shows the signature instead.

// parameterName returns the name of a parameter, "" if it or that of the function is not known.
func (s *signature) parameterName(i int) string {
	if s.name == "" {
		return ""
	}
	names := s.names
	if names == nil {
		names = namesOfSymbol(s.symbol)
	}
	// The names belong to the last parameters: those of a constructor or method may or may not include the object, and
	// those of a func with a context include that.
	at := i - len(s.params) + len(names)
	if i >= len(s.params) || at < 0 || names[at] == "_" {
		return ""
	}
	return names[at]
}

// skipped returns how many leading parameters callers do not count: a method's object, or a constructor's.
func (s *signature) skipped() int { return s.hidden + s.leading }

// calledAs returns what callers call the function.
func (s *signature) calledAs() string { return strings.TrimSuffix(s.name, "."+initName) }

// argumentName names an argument, whose parameter has a name, in messages. i counts all parameters, and each argument of a variadic one.
func (s *signature) argumentName(i int) string {
	at := min(i, len(s.params)-1)
	if s.variadic && at == s.fixed() {
		return fmt.Sprintf("argument '%s'[%d]", s.parameterName(at), i-at)
	}
	return fmt.Sprintf("argument '%s'", s.parameterName(at))
}

// checkCount returns the error for a wrong number of arguments.
func (s *signature) checkCount(got int) error {
	switch {
	case got == len(s.params) || s.variadic && got >= s.fixed():
		return nil
	case s.name != "" && (len(s.params) == s.skipped() || s.parameterName(len(s.params)-1) != ""):
		return s.countError(got)
	case s.variadic:
		return newError("TypeError", "Mismatched number of arguments when calling: `%s`. Expected at least %d but got %d "+
			"arguments", s, s.fixed(), got)
	}
	return newError("TypeError", "Mismatched number of arguments when calling: `%s`. Expected %d but got %d arguments",
		s, len(s.params), got)
}

// countError returns the error for too few or too many positional arguments of a function with a name.
func (s *signature) countError(got int) error {
	if got < s.fixed() && s.parameterName(got) != "" {
		return newError("TypeError", "%s: %s: missing", s.calledAs(), s.argumentName(got))
	}
	least, most := s.fixed()-s.skipped(), len(s.params)-s.skipped()
	expected := fmt.Sprint(most)
	switch {
	case s.variadic:
		expected = fmt.Sprintf("at least %d", least)
	case s.optional > 0:
		expected = fmt.Sprintf("%d to %d", most-s.optional, most)
	case most == 0:
		expected = "no"
	}
	noun := "arguments"
	if expected == "1" || expected == "at least 1" {
		noun = "argument"
	}
	return newError("TypeError", "%s: expected %s %s, got %d", s.calledAs(), expected, noun, got-s.skipped())
}

// argumentError adds to an error which argument it is about. i counts hidden parameters, the message does not.
func (s *signature) argumentError(i int, err error) error {
	at := min(i, len(s.params)-1) // a variadic parameter takes several arguments
	name := s.params[at].name
	if s.variadic && at == s.fixed() {
		name = s.params[at].element.name
	}
	named := s.parameterName(at) != ""
	m, isMismatch := err.(*mismatch)
	e, ok := madeInGo(err)
	switch {
	case isMismatch && named:
		return newError("TypeError", "%s: %s: expected %s, got %s", s.calledAs(), s.argumentName(i), typeWords(name()), m.words())
	case isMismatch:
		return newError("TypeError", "Mismatched type on argument #%d when calling: `%s`. Expected `%s` but got `%s`",
			i-s.hidden, s, name(), m.got)
	case !ok:
		return err
	case named:
		return newError(e.Kind, "%s: %s: %s", s.calledAs(), s.argumentName(i), strings.TrimPrefix(e.Message, "selfsame: "))
	}
	return newError(e.Kind, "%s (argument #%d when calling: `%s`)", e.Message, i-s.hidden, s)
}

// callbackName names the parameter i, a callback, in messages about the callback's result.
func (s *signature) callbackName(i int) string {
	switch {
	case s.name == "" && seqElements(s.params[i].goType) != nil:
		return ""
	case s.name == "":
		return "a callback"
	case s.parameterName(i) == "":
		return fmt.Sprintf("%s: argument %d", s.calledAs(), i-s.skipped()+1)
	}
	return s.calledAs() + ": " + s.argumentName(i)
}

// returned adds to the error of the conversion of a func's result which func it is. It leaves nil as it is.
func (s *signature) returned(err error) error {
	if e, ok := madeInGo(err); ok && s.name != "" {
		what := "its result: "
		if s.several != nil {
			what = "its " // the message begins with the number of the result
		}
		return newError(e.Kind, "%s: %s%s", s.calledAs(), what, strings.TrimPrefix(e.Message, "selfsame: "))
	}
	return err
}

// resultError returns the error for the result of a function that a func is bound to.
func (s *signature) resultError(err error) error {
	if m, ok := err.(*mismatch); ok && s.callback != nil {
		return newError("TypeError", "%s: its result: expected %s, got %s", s.callback(), typeWords(s.result.name()), m.words())
	}
	return resultError(s.result, err)
}
