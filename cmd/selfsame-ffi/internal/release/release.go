// Package release has the version that the tool, the Python package and the Go module share.
package release

// Version is the version of this release, as pyproject.toml has it too.
const Version = "0.1.0"
