// Command environment prints what the go command needs in its environment to compile for a target of `build --wheel`, a
// line each: what the tool itself uses, for scripts that compile other programs for that target.
//
// Usage: go run ./cmd/selfsame-ffi/internal/environment TARGET
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/target"
)

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("expected a target, such as %s", target.Names))
	}
	to, err := target.Parse(os.Args[1])
	if err != nil {
		fail(err)
	}
	env, err := to.Environment(context.Background(), "")
	if err != nil {
		fail(err)
	}
	fmt.Println(strings.Join(env, "\n"))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "environment:", err)
	os.Exit(1)
}
