package musl

import (
	"context"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
)

// LinkCommand is the name of the tool's hidden command that calls [Link] with its arguments.
const LinkCommand = "link-for-musl"

// Compilers returns commands for CC and CXX that link as Link does, by way of this program's hidden command. cc and cxx
// are commands as the go command takes them.
func Compilers(cc, cxx string) (string, string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", "", fmt.Errorf("find this program: %w", err)
	}
	quoted, err := escape.Flag(self)
	if err != nil {
		return "", "", err
	}
	before, after := quoted+" "+LinkCommand+" ", " --"
	return before + cc + after, before + cxx + after, nil
}

// CompilersHere returns what the environment of the go command needs besides for this machine: nothing unless this program
// runs with musl.
func CompilersHere(ctx context.Context) ([]string, error) {
	if !Here() {
		return nil, nil
	}
	out, err := gocmd.Command(ctx, "", nil, "env", "CC", "CXX").Output()
	if err != nil {
		return nil, fmt.Errorf("go env CC CXX: %w", err)
	}
	ccAndCXX := strings.SplitN(string(out), "\n", 3)
	if len(ccAndCXX) < 2 {
		return nil, fmt.Errorf("go env CC CXX: got %q", out)
	}
	cc, cxx, err := Compilers(ccAndCXX[0], ccAndCXX[1])
	return []string{"CC=" + cc, "CXX=" + cxx}, err
}

// Here reports whether this program runs with musl, which its own file says.
func Here() bool {
	self, err := os.Executable()
	if err != nil {
		return false
	}
	file, err := elf.Open(self)
	if err != nil {
		return false
	}
	defer file.Close()
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP {
			name, err := io.ReadAll(io.LimitReader(part.Open(), 4096))
			return err == nil && strings.Contains(string(name), "/ld-musl-")
		}
	}
	return false
}
