//go:build unix

package ownfile

import (
	"io/fs"
	"syscall"
)

// noLink opens no link, and does not wait for the writer of a pipe.
const noLink = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// owner returns the user that a file belongs to.
func owner(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -1
}
