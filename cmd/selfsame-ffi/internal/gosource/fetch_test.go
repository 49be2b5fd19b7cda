package gosource

import (
	"strings"
	"testing"
)

func TestWhatToDoAboutAModuleThatCannotBeFetched(t *testing.T) {
	const module = "px.go:3:8: example.com/x@v0.9.9: "
	for output, want := range map[string]string{
		module + `Get "http://127.0.0.1:9/example.com/x/@v/v0.9.9.zip": dial tcp 127.0.0.1:9: connect: connection refused`: "go env GOPROXY",
		module + `Get "https://proxy.example/x.zip": proxyconnect tcp: dial tcp: lookup proxy: no such host`:               "HTTPS_PROXY",
		module + `reading https://proxy.example/x/@v/v0.9.9.mod: 407 Proxy Authentication Required`:                        "go env GOPROXY",
		module + `reading https://proxy.example/x/@v/v0.9.9.mod: 404 Not Found`:                                            "",
		module + "module lookup disabled by GOPROXY=off":                                                                   "GOPROXY=off lets",
		"fatal: unable to access 'https://example.com/x/': Could not resolve host: example.com":                            "go env GOPROXY",
		"px.go:3:8: no required module provides package example.com/x; to add it:\n\tgo get example.com/x":                 "",
		"x.go:4:2: undefined: Get": "",
	} {
		if got := FetchHint(output); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s:\ngot %q, want %q", output, got, want)
		}
	}
}
