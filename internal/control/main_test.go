package control

import (
	"os"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestMain(m *testing.M) {
	code := m.Run()
	testenv.Remove()
	os.Exit(code)
}
