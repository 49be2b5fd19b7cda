package gosource

import (
	"regexp"
	"strings"
)

// unreachable is what the go command says when nothing answered for a module, or refused. That there is no such module or
// version (404, 410) is another thing.
var unreachable = regexp.MustCompile(`Get "https?://|reading https?://\S+: (40[137]|5\d\d) |module lookup disabled by GOPROXY=off|` +
	`unable to access 'https?://`)

// FetchHint returns what to do when an output of the go command says that it could not fetch a module, "" for any other output.
func FetchHint(output string) string {
	if !unreachable.MatchString(output) {
		return ""
	}
	if strings.Contains(output, "GOPROXY=off") {
		return "GOPROXY=off lets the go command fetch nothing: set it to a proxy for one `go mod download`, or copy the modules with `go mod vendor` elsewhere"
	}
	return "is a proxy reachable (`go env GOPROXY`, and HTTPS_PROXY if your network has one)? What `go mod vendor` copied needs none"
}
