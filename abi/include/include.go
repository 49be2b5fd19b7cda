// Package include carries the C headers of selfsame: the packages that compile C with them import this one, so that
// `go mod vendor` copies the headers and a changed header compiles those packages again.
package include

import "embed"

// FS holds the headers under selfsame/, those in selfsame/internal included.
//
//go:embed selfsame/*.h selfsame/internal/*.h
var FS embed.FS
