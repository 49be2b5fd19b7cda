package gomemory

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"testing"
)

var garbage []byte

// churn allocates until the heap has room, at most so many blocks of 1 MB.
func churn(blocks int) bool {
	for range blocks {
		if kept.Load() != nil {
			return true
		}
		garbage = make([]byte, 1<<20)
	}
	garbage = nil
	return kept.Load() != nil
}

func goal() uint64 {
	samples := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	runtime.GC()
	metrics.Read(samples)
	return samples[0].Value.Uint64()
}

// The collector runs at another pace for the rest of the process, so each case is a process of its own.
func inProcess(t *testing.T, name string, environment ...string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestHelperProcess$")
	cmd.Env = append(os.Environ(), "GOGC=", "GOMEMLIMIT=", "HEAP_CASE="+name)
	cmd.Env = append(cmd.Env, environment...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// cases run in processes of their own.
var cases = map[string]func(t *testing.T){
	"often": func(t *testing.T) {
		before := goal()
		if !churn(1_000_000) {
			t.Fatal("the heap got no room")
		}
		garbage = nil
		if after := goal(); after < 2*room || before >= room {
			t.Errorf("a collection is due at %d bytes, before at %d", after, before)
		}
	},
	"seldom": func(t *testing.T) {
		if churn(often) { // a collection each 4 MB
			t.Error("the heap got room after a few collections")
		}
	},
	"set": func(t *testing.T) {
		if churn(2000) {
			t.Error("the heap got room although the environment says how large it may be")
		}
	},
}

func TestHelperProcess(t *testing.T) {
	if run := cases[os.Getenv("HEAP_CASE")]; run != nil {
		run(t)
	}
}

func TestHeapThatIsCollectedOftenGetsRoom(t *testing.T) { inProcess(t, "often") }

func TestHeapThatIsCollectedSeldomGetsNone(t *testing.T) { inProcess(t, "seldom") }

func TestHeapWhoseSizeIsSetGetsNone(t *testing.T) {
	inProcess(t, "set", "GOGC=100")
	inProcess(t, "set", "GOGC=150")
	inProcess(t, "set", "GOMEMLIMIT=1GiB")
}
