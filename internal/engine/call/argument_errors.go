package call

import (
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/sourcetext"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// Errors of wrong arguments. Where the function and the parameter have names, an error begins with both, and calls types as
// Python does. Otherwise it has the text that C++ functions give, which shows the signature instead.

// parameterName returns the name of a parameter, "" if it or that of the function is not known.
func (s *Signature) parameterName(i int) string {
	if s.name == "" {
		return ""
	}
	names := s.names
	if names == nil {
		names = sourcetext.ParametersOf(s.Symbol)
	}
	// The names belong to the last parameters: those of a constructor or method may or may not include the object, and
	// those of a func with a context include that.
	at := i - len(s.Params) + len(names)
	if i >= len(s.Params) || at < 0 || names[at] == "_" {
		return ""
	}
	return names[at]
}

// skipped returns how many leading parameters callers do not count: a method's object, or a constructor's.
func (s *Signature) skipped() int { return s.Hidden + s.Leading }

// calledAs returns what callers call the function.
func (s *Signature) calledAs() string { return strings.TrimSuffix(s.name, "."+typetable.InitName) }

// argumentName names an argument, whose parameter has a name, in messages. i counts all parameters, and each argument of a variadic one.
func (s *Signature) argumentName(i int) string {
	at := min(i, len(s.Params)-1)
	if s.variadic && at == s.fixed() {
		return fmt.Sprintf("argument '%s'[%d]", s.parameterName(at), i-at)
	}
	return fmt.Sprintf("argument '%s'", s.parameterName(at))
}

// SetsProperty says that the func sets a property, which messages name instead of the func and its argument.
func (s *Signature) SetsProperty(name string) { s.sets = name }

// subject names what an error about argument i is about, in front of ": "; "": nothing that callers know.
func (s *Signature) subject(i int) string {
	switch at := min(i, len(s.Params)-1); {
	case s.sets != "" && i > 0:
		return s.sets
	case s.parameterName(at) == "":
		return ""
	}
	return s.calledAs() + ": " + s.argumentName(i)
}

// explained returns the error of a call with what only the call knows: the func's name in front of an argument's, and which
// arguments were None where the func has used a nil pointer.
func (s *Signature) explained(err error, args []abi.Any) error {
	e, ok := fault.MadeInGo(err)
	if !ok || s.name == "" {
		return err
	}
	told := *e // the error itself may be one that the program compares others with
	switch {
	case e.Kind == "TypeError" && strings.HasPrefix(e.Message, "argument '"):
		told.Message = s.calledAs() + ": " + e.Message
		return &told
	case strings.HasSuffix(e.Message, "nil pointer dereference"):
		var none []string
		for i := s.skipped(); i < len(args); i++ {
			switch {
			case args[i].TypeIndex == abi.IndexObject: // the marker: names and values follow
				for args = args[i+1:]; len(args) > 1; args = args[2:] {
					if name, _ := args[0].Text(); args[1].TypeIndex == abi.IndexNone {
						none = append(none, fmt.Sprintf("argument '%s'", name))
					}
				}
			case args[i].TypeIndex == abi.IndexNone && s.parameterName(i) != "":
				none = append(none, s.argumentName(i))
			}
		}
		if len(none) > 0 {
			told.Message = fmt.Sprintf("%s: %s: None was passed, and Go uses what it stands for (%s)", s.calledAs(), strings.Join(none, " or "), e.Message)
			return &told
		}
	}
	return err
}

// checkCount returns the error for a wrong number of arguments.
func (s *Signature) checkCount(got int) error {
	switch {
	case got == len(s.Params) || s.variadic && got >= s.fixed():
		return nil
	case s.name != "" && (len(s.Params) == s.skipped() || s.parameterName(len(s.Params)-1) != ""):
		return s.countError(got)
	case s.variadic:
		return fault.New("TypeError", "Mismatched number of arguments when calling: `%s`. Expected at least %d but got %d "+
			"arguments", s, s.fixed(), got)
	}
	return fault.New("TypeError", "Mismatched number of arguments when calling: `%s`. Expected %d but got %d arguments",
		s, len(s.Params), got)
}

// countError returns the error for too few or too many positional arguments of a function with a name.
func (s *Signature) countError(got int) error {
	if got < s.fixed() && s.parameterName(got) != "" {
		return fault.New("TypeError", "%s: %s: missing", s.calledAs(), s.argumentName(got))
	}
	least, most := s.fixed()-s.byName-s.skipped(), len(s.Params)-s.byName-s.skipped()
	expected := fmt.Sprint(most)
	switch {
	case s.variadic:
		expected = fmt.Sprintf("at least %d", least)
	case s.optional > s.byName:
		expected = fmt.Sprintf("%d to %d", most-(s.optional-s.byName), most)
	case most == 0:
		expected = "no"
	}
	noun := "arguments"
	if expected == "1" || expected == "at least 1" {
		noun = "argument"
	}
	return fault.New("TypeError", "%s: expected %s %s, got %d", s.calledAs(), expected, noun, got-s.skipped())
}

// keywordError returns the error for a keyword argument that is none of the known ones, with the one that was perhaps meant.
func (s *Signature) keywordError(name string, known []string) error {
	if len(known) == 0 {
		return fault.New("TypeError", "%s: got an unexpected keyword argument '%s'; it takes none", s.calledAs(), name)
	}
	last := len(known) - 1
	listed := strings.Join(known[:last], "', '")
	if last > 0 {
		listed += "' and '"
	}
	return fault.New("TypeError", "%s: got an unexpected keyword argument '%s'; it takes '%s%s'%s", s.calledAs(), name, listed, known[last],
		naming.DidYouMean(name, known))
}

// argumentError adds to an error which argument it is about. i counts hidden parameters, the message does not.
func (s *Signature) argumentError(i int, err error) error {
	at := min(i, len(s.Params)-1) // a variadic parameter takes several arguments
	name := s.Params[at].Name
	if s.variadic && at == s.fixed() {
		name = s.Params[at].Element.Name
	}
	subject := s.subject(i)
	m, isMismatch := err.(*convert.Mismatch)
	e, ok := fault.MadeInGo(err)
	switch {
	case isMismatch && subject != "":
		if s.variadic && at == s.fixed() && slices.Contains([]string{"ffi.Array", "ffi.List", "ffi.Tensor"}, m.Got) {
			m = m.WithHint("put * in front of it to pass its elements")
		}
		return m.Refused(subject, name())
	case isMismatch:
		return fault.New("TypeError", "Mismatched type on argument #%d when calling: `%s`. Expected `%s` but got `%s`",
			i-s.Hidden, s, name(), m.Got)
	case !ok:
		return err
	case subject != "":
		return e.About(subject)
	}
	return fault.New(e.Kind, "%s (argument #%d when calling: `%s`)", e.Message, i-s.Hidden, s)
}

// callbackName names the parameter i, a callback, in messages about the callback's result.
func (s *Signature) callbackName(i int) string {
	switch {
	case s.name == "" && seqElements(s.Params[i].GoType) != nil:
		return ""
	case s.name == "":
		return "a callback"
	case s.parameterName(i) == "":
		return fmt.Sprintf("%s: argument %d", s.calledAs(), i-s.skipped()+1)
	}
	return s.calledAs() + ": " + s.argumentName(i)
}

// returned adds to the error of the conversion of a func's result which func it is. It leaves nil as it is.
func (s *Signature) returned(err error) error {
	if e, ok := fault.MadeInGo(err); ok && s.name != "" {
		what := "its result: "
		if s.several != nil {
			what = "its " // the message begins with the number of the result
		}
		return fault.New(e.Kind, "%s: %s%s", s.calledAs(), what, strings.TrimPrefix(e.Message, "selfsame: "))
	}
	return err
}

// resultError returns what convert.ResultError does: the error for the result of a function that a func is bound to.
func (s *Signature) resultError(err error) error {
	if m, ok := err.(*convert.Mismatch); ok && s.callback != nil {
		return fault.New("TypeError", "%s: its result: expected %s, got %s", s.callback(), convert.TypeWords(s.Result.Name()), m.Words())
	}
	return convert.ResultError(s.Result, err)
}
