//go:build !unix

package ownfile

import (
	"io/fs"
	"os"
)

// noLink is no flag: the system has none.
const noLink = 0

// owner returns this user: the system has no numbers of users.
func owner(fs.FileInfo) int { return os.Getuid() }
