#!/bin/sh
# Go 1.27 tells other places and reasons in the errors of encoding/json than Go 1.26, for the same text and type.
#
# Versions: Go 1.26.8, Go 1.27.3
#
# Expected: an error text of encoding/json, which programs show to users and tests compare, stays from release to release.
#
# Seen: 1.27 names the element of a slice and the key of a map (".B.0", ".C.x") where 1.26 names the field, leaves out "Go struct
# field" for the first, and says "unexpected end" for a literal that is cut off, where 1.26 shows a space that is not there.
# Values, and what is accepted, are the same: keys in any case, the last of two, U+FFFD for a wrong byte.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
go_module messages 1.26
cat >main.go <<'G'
package main

import (
	"encoding/json"
	"fmt"
)

func main() {
	for _, text := range []string{`{"A":"x"}`, `{"B":[1]}`, `{"C":{"x":"y"}}`, "nul", `{"a":1,"A":2}`, "{\"B\":[\"\xff\"]}"} {
		var v struct {
			A int
			B []string
			C map[string]int
		}
		err := json.Unmarshal([]byte(text), &v)
		fmt.Printf("%q %v %+v\n", text, err, v)
	}
}
G
python_for "3.11 3.12 3.13"
GOTOOLCHAIN=go1.26.8 go run . >old
GOTOOLCHAIN=go1.27.3 go run . >new
"$python" - <<'P'
from seen import end, seen

old, new = (open(name).read().splitlines() for name in ("old", "new"))
for line in old + new:
    print(line)
seen("lines that are the same", [a == b for a, b in zip(old, new)], [True, False, False, False, True, True])
seen("an element", ("Go struct field .B of type" in old[1], "into .B.0 of type" in new[1]), (True, True))
seen("a key", ("field .C of type" in old[2], "field .C.x of type" in new[2]), (True, True))
seen("a literal cut off", ("invalid character ' '" in old[3], "unexpected end" in new[3]), (True, True))
end()
P
