package naming

import "regexp"

// Consumes says whether a callback or a method takes the bytes that it gets, and does not fill them: its name, the last word of what names
// it, speaks of that.
func Consumes(what string) bool { return consuming.MatchString(lastWord.FindString(what)) }

var (
	consuming = regexp.MustCompile(`(?i)write|print|put|send|emit|sink|log|flush|hash|push|append|consume|handle|parse|split|match|index`)
	lastWord  = regexp.MustCompile(`\w+\W*$`)
)
