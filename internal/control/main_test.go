package control

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestMain(m *testing.M) { testenv.Main(m) }
