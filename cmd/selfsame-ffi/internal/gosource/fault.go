package gosource

import (
	"regexp"
	"strings"
	"syscall"
)

// Fault is a fault of the machine that an output of the go command, or of a compiler that it ran, tells of.
type Fault int

// The faults.
const (
	NoFault Fault = iota
	DiskFull
	ReadOnly
	DamagedCache
)

// damaged is what they say of a cache whose files cannot be read or written, or are not what the go command wrote.
var damaged = regexp.MustCompile(`(?i)failed to initialize build cache|build cache is (disabled|required)|GOCACHE|` +
	`could not import [^\n]*\((bad|invalid|unexpected|truncated|reading|not an? |no |can't find|open |object is|.*export data)|` +
	`(import|link|loading|reading)[^\n]*: (not an? (package|object|archive) file|unexpected EOF|truncated|corrupt|malformed)|` +
	`(not a package file|unrecognized object file format|unexpected package trailer|corrupt(ed)? (index|cache|archive|object)|file truncated|malformed archive)`)

// FaultIn returns the fault that a text tells of. The spelling of the system's texts differs from program to program.
func FaultIn(text string) Fault {
	low := strings.ToLower(text)
	switch {
	case strings.Contains(low, syscall.ENOSPC.Error()), strings.Contains(low, "disk quota exceeded"):
		return DiskFull
	case strings.Contains(low, syscall.EROFS.Error()):
		return ReadOnly
	case damaged.MatchString(text):
		return DamagedCache
	}
	return NoFault
}
