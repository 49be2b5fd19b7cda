package naming

import (
	"slices"
	"strings"
)

// Consumes says whether a callback or a method takes the bytes that it gets, and does not fill them: its name, the last word of what names
// it, speaks of that.
func Consumes(what string) bool {
	word := strings.TrimRightFunc(what, notInWord)
	word = strings.ToLower(word[strings.LastIndexFunc(word, notInWord)+1:])
	return slices.ContainsFunc(consuming, func(part string) bool { return strings.Contains(word, part) })
}

// notInWord reports whether a character is none of a name in ASCII.
func notInWord(c rune) bool {
	return c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

var consuming = []string{
	"write", "print", "put", "send", "emit", "sink", "log", "flush", "hash", "push", "append", "consume", "handle", "parse", "split", "match",
	"index",
}
