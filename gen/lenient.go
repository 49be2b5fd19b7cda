package gen

import (
	"fmt"
	"os"
	"strings"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
)

// Lenient leaves out of a registration what cannot be used, instead of refusing all of it: the constructor or a method of a class,
// or a function. [Refused] tells what was left out, and why. It is for generated code, whose author reads a table.
func Lenient() LenientOption { return registry.Lenient.(LenientOption) }

// Variable says that a func without arguments returns the package variable of a name, or that one with an argument sets it. In Python the
// variable is an attribute of the module.
func Variable(name string) selfsame.FuncOption { return registry.Variable(name).(selfsame.FuncOption) }

// LenientOption is what [Lenient] returns, for [selfsame.RegisterFunc] and [selfsame.Register].
type LenientOption interface {
	selfsame.FuncOption
	selfsame.ClassOption
}

// Refused returns what registrations with [Lenient] have left out so far: registered names, each with the reason.
func Refused() [][2]string { return registry.Refused() }

// ReportRefused writes the list of [Refused] into the file that the environment variable SELFSAME_REFUSED names, a line for each
// entry: the name, a tab and the reason. Without the variable it does nothing. It returns true.
func ReportRefused() bool {
	file := os.Getenv("SELFSAME_REFUSED")
	if file == "" {
		return true
	}
	var b strings.Builder
	for _, entry := range Refused() {
		fmt.Fprintf(&b, "%s\t%s\n", entry[0], strings.Join(strings.Fields(entry[1]), " "))
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, "selfsame: SELFSAME_REFUSED:", err)
	}
	return true
}
