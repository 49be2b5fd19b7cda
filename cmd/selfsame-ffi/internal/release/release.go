// Package release has the version that the tool, the Python package and the Go module share, and says whether this
// tool is one of a release.
package release

import "github.com/selfsame-ffi/selfsame/abi/include"

// Version is the version of this release.
var Version = include.Version()
