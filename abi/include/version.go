package include

import "strings"

// Version returns the version of selfsame, such as 0.2.0, which selfsame/version.h has.
func Version() string {
	text, err := FS.ReadFile("selfsame/version.h")
	if err != nil {
		panic(err) // it is embedded
	}
	_, rest, _ := strings.Cut(string(text), "#define SELFSAME_VERSION \"")
	version, _, _ := strings.Cut(rest, "\"")
	return version
}
