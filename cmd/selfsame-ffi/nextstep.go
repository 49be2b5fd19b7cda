package main

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// nextStep returns what the user can do about an error that the system, or the network, gave any command; "" for errors
// that say it themselves. Programs that a command ran tell it in their output.
func nextStep(err error) string {
	text := err.Error()
	fault := gosource.FaultIn(text)
	var path *fs.PathError
	switch {
	case errors.Is(err, syscall.ENOSPC), fault == gosource.DiskFull:
		return "make room, or choose other folders: -o is that of the result, TMPDIR that of temporary files, GOCACHE that of the go command"
	case errors.Is(err, syscall.EROFS), fault == gosource.ReadOnly,
		errors.As(err, &path) && strings.HasPrefix(path.Op, "mkdir") && errors.Is(err, fs.ErrPermission):
		return "choose a folder that you can write to: by -o for a result, by changing into it for `new` and `develop`, by TMPDIR for " +
			"temporary files, by GOCACHE and GOMODCACHE for those of the go command"
	}
	if fault == gosource.DamagedCache {
		return "the go command cannot use its cache (`go env GOCACHE` says where): `go clean -cache` empties it, and GOCACHE chooses another folder"
	}
	if strings.Contains(text, "`go env GOPROXY`") { // it is said already
		return ""
	}
	return gosource.FetchHint(text)
}
