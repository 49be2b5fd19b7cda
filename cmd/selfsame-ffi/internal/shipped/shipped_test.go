package shipped

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D14

// The overrides of a library are chosen by the name of its file, and those that do not fit its version are left out.
func TestKnownOverridesFitAnyVersion(t *testing.T) {
	number := model.Schema{Type: "int"}
	for file, count := range map[string]int{"lib/libxgrammar_bindings.so": 2, "libother.so": 0} {
		content := &model.Library{Classes: []model.Class{{Key: "xgrammar.tvm_ffi_binding.GrammarMatcher", Methods: []model.Function{
			{Name: "accept_token", Typed: true, Args: []model.Schema{number, {Type: "bool"}}},
			{Name: "rollback", Typed: true, Args: []model.Schema{number, number}}, // as of another version
		}}}}
		testenv.OK(t, Known([]string{file}, content))
		methods := content.Classes[0].Methods
		if len(methods[0].ArgNames) != count || len(methods[1].ArgNames) != 0 {
			t.Errorf("%s: %v", file, methods)
		}
	}
}

// Each file can be read, and all its types are types: a library that has nothing accepts it.
func TestFilesOfOverridesCanBeRead(t *testing.T) {
	for library, name := range known {
		if err := Known([]string{library}, &model.Library{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
