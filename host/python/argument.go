package python

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// inCallersTerms returns the error of a service's argument as one of the argument that the program gave. Other errors, and nil, stay
// as they are.
func inCallersTerms(err error, service *selfsame.Function, args []any) error {
	i, reason, ok := fault.Argument(err)
	if !ok {
		return err
	}
	s, of := &services, ""
	switch service {
	case s.call, s.callValue:
		of = fmt.Sprintf("argument %d: ", i)
	case s.callMethod, s.callMethodValue:
		of = fmt.Sprintf("argument %d: ", i-1)
	case s.callKeywords:
		of = placed(args, i, 2)
	case s.callMethodKeywords, s.callInterruptible:
		of = placed(args, i, 3)
	case s.callMethodInterruptible:
		of = placed(args, i, 4)
	case s.namespace, s.subclass, s.implementing: // a name is before each value
		of = fmt.Sprintf("%v: ", args[i-1])
	}
	return fault.New(reason.Kind, "python: %s%s", of, fault.Reason(reason))
}

// placed names argument i of a service that gets the number of arguments without keywords before these, the first of which has the
// index first, and behind them each keyword with its name.
func placed(args []any, i, first int) string {
	if count, _ := args[first-1].(int); i < first+count {
		return fmt.Sprintf("argument %d: ", i-first+1)
	}
	return fmt.Sprintf("argument %v: ", args[i-1])
}
