package escape

// Terminal returns a text of several lines as a terminal may show it.
func Terminal(text string) string { return each(text, "\n\t", numbered, numberedByte) }

// TerminalLine returns a text as a part of one line on a terminal.
func TerminalLine(text string) string { return each(text, "", numbered, numberedByte) }
