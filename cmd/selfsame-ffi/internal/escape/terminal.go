package escape

import "github.com/selfsame-ffi/selfsame/internal/shown"

// Terminal returns a text of several lines as a terminal may show it.
func Terminal(text string) string { return shown.Text(text) }

// TerminalLine returns a text as a part of one line on a terminal.
func TerminalLine(text string) string { return shown.Line(text) }
