package decide

import "strings"

// fieldID makes the Go name and the Python name of a field comparable, as the frontend does for comments.
func fieldID(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// pythonDoc translates a Go comment into a docstring.
func (d *Decider) pythonDoc(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "//go:") || strings.HasPrefix(line, "nolint") {
			continue
		}
		lines = append(lines, strings.ReplaceAll(line, "\t", "    "))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
