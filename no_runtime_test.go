//go:build selfsame_shared

package selfsame_test

import (
	"os"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/stubs"
)

func TestWithoutRuntime(t *testing.T) {
	if os.Getenv("SELFSAME_TEST_WITHOUT_RUNTIME") == "" {
		t.Skip("run by TestSuitePassesOnSharedRuntimes")
	}
	type orphan struct{ selfsame.Object }
	_, registerError := selfsame.Register[orphan]("test.Orphan")
	_, getError := selfsame.GetFunc("test.answer")
	_, newError := selfsame.NewFunc(func() {})
	_, objectError := selfsame.NewObject("geo.Point", 1, 2)
	for what, err := range map[string]error{
		"Register":     registerError,
		"GetFunc":      getError,
		"NewFunc":      newError,
		"NewObject":    objectError,
		"RegisterFunc": selfsame.RegisterFunc("test.orphan", func() {}),
	} {
		if err != stubs.ErrNoRuntime {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := stubs.ErrNoRuntime.Error(); err != "no tvm-ffi runtime in this process: import selfsame_ffi (or tvm_ffi) first" {
		t.Error(err)
	}
	if n, ok := selfsame.LiveObjects("geo.Point"); ok {
		t.Errorf("LiveObjects = %d", n)
	}
	if _, err := PointClass.TryNew(func(*Point) error { return nil }); err == nil {
		t.Error("an object without a runtime")
	}
	selfsame.Collect()
}
