package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/compile"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/target"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestErrorsOfTheSystemSayWhatToDoNext(t *testing.T) {
	pathError := func(op string, errno syscall.Errno) error { return &fs.PathError{Op: op, Path: "out", Err: errno} }
	for _, c := range []struct {
		err  error
		want string // "" is nothing
	}{
		{fmt.Errorf("build: %w", pathError("write", syscall.ENOSPC)), "make room"},
		{errors.New("example.com/x does not compile:\n\n    write $WORK/b001/x.o: no space left on device"), "GOCACHE"},
		{&compile.Error{Package: "example.com/x", Output: "/usr/bin/ld: final link failed: No space left on device"}, "GOCACHE that of"},
		{errors.New("go list in .: exit status 1\nfailed to initialize build cache at /x: mkdir /x: not a directory"), "go clean -cache"},
		{errors.New("./shop: shop.go:4:8: corrupt index"), "go clean -cache"},
		{errors.New("build cache is disabled by GOCACHE=off, but required as of Go 1.12"), "GOCACHE chooses another"},
		{&compile.Error{Package: "x", Output: "x.go:3:8: could not import fmt (unexpected EOF)"}, "go clean -cache"},
		{&compile.Error{Package: "x", Output: "x.go:3:8: undefined: cache"}, ""},
		{fmt.Errorf("new: %w", pathError("mkdir", syscall.EROFS)), "a folder that you can write to"},
		{pathError("mkdir", syscall.EACCES), "a folder that you can write to"},
		{pathError("open", syscall.EACCES), ""}, // it may be one to read
		{errors.New(`.: x.go:3:8: example.com/x@v1.0.0: Get "https://proxy.example/x.zip": dial tcp: i/o timeout`), "go env GOPROXY"},
		{errors.New("./gone: no such folder; give the folder of a Go package"), ""},
	} {
		if got := nextStep(c.err); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%v:\ngot %q, want %q", c.err, got, c.want)
		}
	}
}

func TestFaultsOfTheMachineAreNoneOfThePackage(t *testing.T) {
	for output, want := range map[string]string{
		"/usr/bin/ld: final link failed: No space left on device": "x was not compiled, because of the disk:",
		"write $WORK/b001/x.o: no space left on device":           "x was not compiled, because of the disk:",
		"x.go:3:8: could not import fmt (unexpected EOF)":         "x was not compiled, because of the go command's cache:",
		"x.go:3:8: undefined: y":                                  "x does not compile:",
	} {
		if text := (&compile.Error{Package: "x", Output: output}).Error(); !strings.HasPrefix(text, want) {
			t.Errorf("got %q, want %q", text, want)
		}
	}
}

func TestNextStepOfAWheelNamesFoldersOfItsMachineOnly(t *testing.T) {
	clone := release.Checkout()
	if clone == "" {
		t.Skip("the test does not run in a clone")
	}
	for name, here := range map[string]bool{"": true, "linux": true, "win_amd64": false, "macosx_12_0_arm64": false} {
		w := madeWheel{file: "dist/geo.whl", to: testenv.Value(target.Parse(name))(t), needs: "selfsame-ffi>=0.2.0"}
		if told := w.next(); strings.Contains(told, clone) != here || strings.Contains(told, "on a machine of that platform") == here ||
			!strings.Contains(told, "pip install --find-links ") || !strings.HasSuffix(told, " dist/geo.whl\n") {
			t.Errorf("%s: %s", name, told)
		}
		w.needs = ""
		if told := w.next(); !strings.HasSuffix(told, "python -m pip install dist/geo.whl\n") {
			t.Errorf("%s, without a requirement: %s", name, told)
		}
	}
}
