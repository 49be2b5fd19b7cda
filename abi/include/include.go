// Package include carries the C headers of selfsame, so that tools can write them out and vendoring keeps them.
package include

import "embed"

// FS holds the headers under selfsame/.
//
//go:embed selfsame/*.h
var FS embed.FS
