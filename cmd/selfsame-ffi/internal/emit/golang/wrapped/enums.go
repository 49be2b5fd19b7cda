package wrapped

import (
	"encoding/json"
	"fmt"
	"go/types"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// members writes the option that ties a type to the members of its enum.
func (w *writer) members(e *form.Enum) string {
	list := ""
	for _, m := range e.Members {
		list += ", " + w.pkg(m.Const.Pkg()) + "." + m.Const.Name()
	}
	return ", gen.Constants(" + list[2:] + ")"
}

// enum writes what a class that is an enum in Python has for that: the members, and a func that returns the one of a value.
func (w *writer) enum(c *form.Class) string {
	made := model.Enum{Base: "GoIntEnum"}
	if b := c.Named.Underlying().(*types.Basic); b.Info()&types.IsString != 0 {
		made.Base = "GoStrEnum"
	} else if c.Enum.Flags {
		made.Base = "GoIntFlag"
	}
	for _, m := range c.Enum.Members {
		value, _ := escape.PythonConstant(m.Const.Val(), false)
		made.Members = append(made.Members, model.Constant{Name: m.Python, Value: value, Doc: m.Doc})
	}
	text, err := json.Marshal(made)
	if err != nil {
		panic(err) // texts can be written
	}
	return fmt.Sprintf("\t\tselfsame.Attr(\"__ffi_constants__\", %q),\n\t\tselfsame.Static(\"__go_member__\", func(value %[2]s) %[2]s { return value }, "+
		"\"The member of a value.\"),\n", text, w.of(c))
}
