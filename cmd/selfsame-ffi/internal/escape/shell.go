package escape

import (
	"fmt"
	"regexp"
	"strings"
)

// words are the texts that no shell and no list of flags reads otherwise.
var words = regexp.MustCompile(`^[A-Za-z0-9_./@%=:,+-]+$`)

// Shell returns a text as one word of a command that a reader may copy from a terminal into a shell.
func Shell(text string) string {
	if words.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(TerminalLine(text), "'", `'\''`) + "'"
}

// Flag returns one argument for a list of arguments that the go command or a compiler splits at blanks and quotes: in
// quotes where it must be. Such a list has no escapes, so a text with both quotes is an error.
func Flag(text string) (string, error) {
	switch {
	case strings.ContainsAny(text, "\n\r\x00"):
		return "", fmt.Errorf("expected a path without line ends, got %q", text)
	case !strings.ContainsAny(text, " \t'\""):
		return text, nil
	case !strings.Contains(text, `"`):
		return `"` + text + `"`, nil
	case !strings.Contains(text, "'"):
		return "'" + text + "'", nil
	}
	return "", fmt.Errorf("expected a path without ' or without \", got %q", text)
}
