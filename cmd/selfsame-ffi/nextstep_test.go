package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

func TestErrorsOfTheSystemSayWhatToDoNext(t *testing.T) {
	pathError := func(op string, errno syscall.Errno) error { return &fs.PathError{Op: op, Path: "out", Err: errno} }
	for _, c := range []struct {
		err  error
		want string // "" is nothing
	}{
		{fmt.Errorf("build: %w", pathError("write", syscall.ENOSPC)), "make room"},
		{errors.New("example.com/x does not compile:\n\n    write $WORK/b001/x.o: no space left on device"), "GOCACHE"},
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
