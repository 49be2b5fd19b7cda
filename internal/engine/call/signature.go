package call

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Signature is a Go func's type as the ABI sees it.
type Signature struct {
	name   string // in messages; empty for anonymous functions
	Params []*convert.Conv
	Hidden int           // how many leading parameters callers do not pass: a constructor's new object, which is also its result
	Result *convert.Conv // nil: no result
	fails  bool          // the func's last result is an error

	failsAs reflect.Type // of a callback: the type of that error where it is another one than error, else nil

	orError bool // of a native function: an Error that it returns is the error of the call, not its result

	Leading  int      // a method's object: callers pass it, but do not count it
	Symbol   string   // of the func, by which SourceTexts knows its parameters
	names    []string // of the last len(names) parameters; nil: those of SourceTexts, if it has them
	optional int      // how many of the parameters have defaults
	byName   int      // how many of the parameters before a variadic one are keyword arguments only

	context  int             // which parameter of the func is its context, which callers do not pass; -1: it has none
	results  contextUses     // what the results may do with the context
	variadic bool            // callers pass any number of values for the last parameter, whose conv is that of a slice
	several  []*convert.Conv // of the results, when there are two or more; result is then the conv of their tuple

	lendsHandles  []bool // which parameters lend their handles, as the func does not keep them; nil: none
	short         bool   // a call of the func ends at once
	keepsNoHandle bool   // whatever handles the func comes by, it keeps none after a call but in its results

	sets     string          // the property that the func sets, as messages call it; ""; it sets none
	shown    []*convert.Conv // of a callback: how it gets parameters that it sees where Go has them, nil for others; nil: there are none
	callback func() string   // of a func that is bound to an argument: what messages call the argument
}

// SignatureOptions say how SignatureOf reads a func type.
type SignatureOptions struct {
	Skip  int  // leading parameters that the frontend passes itself
	Self  bool // the first of the others is a method's object
	Plain bool // as the option Plain
	Lazy  bool // as the option Lazy

	Callback bool // the func is a callback, whose error may be of a type of its own

	Names []string // of the parameters, for messages; may be shorter
}

// SignatureOf makes the signature of a func type.
func SignatureOf(name string, t reflect.Type, o SignatureOptions) (*Signature, error) {
	s := &Signature{name: name, context: -1, variadic: t.IsVariadic()}
	lookup := convert.For
	if o.Plain {
		lookup = convert.ForPlain
	}
	first := o.Skip
	if o.Self {
		first++
	}
	for i := o.Skip; i < t.NumIn(); i++ {
		in := t.In(i)
		if in == convert.ContextType && s.context < 0 && (i == o.Skip || i == first) {
			s.context = i
			continue
		}
		c, err := lookup(in)
		if err == nil && s.variadic && i == t.NumIn()-1 && c.Element == nil { // ...byte: not Bytes, but numbers
			if c, err = convert.SliceConv(in, lookup); err == nil {
				c.GoType, c.Fast, c.BitsIndex = in, convert.NoFastPath, convert.NoBitsIndex
			}
		}
		if err == nil && c.OnlyResult != "" {
			err = fault.New("TypeError", "%s %s", in, c.OnlyResult)
		}
		if err != nil {
			return nil, fault.New("TypeError", "selfsame: %s: %s: %s", describe(name, t), o.parameter(i-o.Skip, len(s.Params)), fault.Reason(err))
		}
		if o.Callback && in == convert.AnyType {
			c = convert.AnyArgument()
		}
		if c.Named != nil {
			k := len(s.Params)
			c = c.Named(func() string { return s.callbackName(k) })
		}
		s.Params = append(s.Params, c)
	}
	results := t.NumOut()
	switch {
	case results > 0 && t.Out(results-1) == convert.ErrorType:
		s.fails = true
		results--
	case o.Callback && results > 1 && isErrorType(t.Out(results-1)):
		s.fails, s.failsAs = true, t.Out(results-1)
		results--
	}
	for i := range results {
		c, err := lookup(t.Out(i))
		if err == nil && c.OnlyParameter != "" {
			err = fault.New("TypeError", "%s %s", t.Out(i), c.OnlyParameter)
		}
		if err != nil {
			which := "result"
			if results > 1 {
				which = fmt.Sprintf("result %d", i)
			}
			return nil, fault.New("TypeError", "selfsame: %s: %s: %s", describe(name, t), which, fault.Reason(err))
		}
		s.several = append(s.several, rowsResult(c, o.Plain))
		if s.context >= 0 {
			s.results.look(t.Out(i))
		}
	}
	switch results {
	case 0:
	case 1:
		s.Result, s.several = s.several[0], nil
	default:
		s.Result = resultsConv(s.several)
	}
	if o.Lazy && !s.makeLazy() {
		return nil, fault.New("TypeError", "selfsame: %s: the option Lazy is for funcs that take or return an iter.Seq or iter.Seq2",
			describe(name, t))
	}
	if o.Plain && s.Result != nil {
		s.Result = convert.PlainResult(s.Result)
		plain := make([]*convert.Conv, len(s.several)) // the schema of the tuple says so already
		for i, c := range s.several {
			plain[i] = convert.PlainResult(c)
		}
		if s.several != nil {
			s.several = plain
		}
	}
	return s, nil
}

// isErrorType says whether nil of a type of errors means that there is none.
func isErrorType(t reflect.Type) bool {
	return (t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface) && t.Implements(convert.ErrorType)
}

// failure returns the error among the results of a func, which is the last one; nil for none.
func failure(out []reflect.Value) error {
	last := out[len(out)-1]
	if last.IsNil() {
		return nil
	}
	err, _ := last.Interface().(error)
	return err
}

// makeLazy has the elements of all iterators in the signature made one at a time. It returns whether there are any.
func (s *Signature) makeLazy() (found bool) {
	for i, c := range s.Params {
		if c.Lazily != nil {
			s.Params[i], found = c.Lazily(), true
		}
	}
	if s.Result != nil && s.Result.Lazily != nil {
		s.Result, found = s.Result.Lazily(), true
	}
	return found
}

// Reshapes says whether a call of the func needs more than one Go argument for each parameter and one Go result.
func (s *Signature) Reshapes() bool { return s.context >= 0 || s.variadic || s.several != nil }

// fixed returns how many of the parameters are not the last one of a variadic func.
func (s *Signature) fixed() int {
	if s.variadic {
		return len(s.Params) - 1
	}
	return len(s.Params)
}

// parameter names a parameter in messages: the func's parameter i, of which callers know as their argument number k; a method's
// object counts in both.
func (o *SignatureOptions) parameter(i, k int) string {
	if o.Self {
		k--
	}
	if k >= 0 && k < len(o.Names) {
		name, _, _ := strings.Cut(strings.TrimPrefix(o.Names[k], "*"), "=")
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
func (s *Signature) String() string {
	visible := s.Params[s.Hidden:]
	params := make([]string, len(visible))
	for i, p := range visible {
		params[i] = strconv.Itoa(i) + ": " + p.Name()
	}
	if s.variadic {
		params[len(params)-1] += "..."
	}
	result := "void"
	if s.Result != nil {
		result = s.Result.Name()
	}
	return s.name + "(" + strings.Join(params, ", ") + ") -> " + result
}

// appendSchema appends the type_schema of the function.
func (s *Signature) appendSchema(text []byte) []byte {
	text = append(text, `{"type":"ffi.Function","args":[`...)
	if s.Result != nil {
		text = append(text, s.Result.Schema()...)
	} else {
		text = append(text, `{"type":"None"}`...)
	}
	for _, p := range s.Params {
		text = append(append(text, ','), p.Schema()...)
	}
	return append(text, "]}"...)
}

// callbackSchema returns the schema of a func that is a value. A variadic func says so, since it has no further metadata.
func (s *Signature) callbackSchema() string {
	text := string(s.appendSchema(nil))
	if s.variadic {
		return strings.TrimSuffix(text, "}") + `,"variadic":true}`
	}
	return text
}

// Classes returns the classes of the parameters and the result.
func (s *Signature) Classes() []*typetable.Class {
	var out []*typetable.Class
	for _, p := range s.Params {
		out = append(out, p.Classes...)
	}
	if s.Result != nil {
		out = append(out, s.Result.Classes...)
	}
	return out
}
