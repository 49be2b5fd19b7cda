package selfsame_test

import (
	"runtime"
	"runtime/metrics"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Go's collector reads all global variables that may hold pointers each time that it runs, in every process that this package
// is part of. It once read 640 KB of tables that were empty.
func TestACollectionReadsFewGlobalVariables(t *testing.T) {
	PointClass.New(nil).Release() // so that the table of handles has an entry
	f := must(selfsame.NewFunc(func() {}))(t)
	defer f.Release()
	runtime.GC()
	sample := []metrics.Sample{{Name: "/gc/scan/globals:bytes"}}
	metrics.Read(sample)
	const limit = 512 << 10
	if got := sample[0].Value.Uint64(); got == 0 || got > limit {
		t.Errorf("%d bytes of global variables, expected up to %d", got, limit)
	} else {
		t.Logf("%d bytes", got)
	}
}
