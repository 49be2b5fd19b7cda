package wheel

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Pythons are minor versions of Python 3, from the oldest to the newest.
type Pythons struct {
	Oldest int
	Newest int // 0: all later ones
}

// oldestPython is the oldest on which selfsame-ffi runs.
const oldestPython = 9

// AllPythons are those on which selfsame-ffi runs.
var AllPythons = Pythons{Oldest: oldestPython}

// pythonBound is a clause of requires-python that is a bound: the comparison, a minor version, and the dot and number of a patch.
var pythonBound = regexp.MustCompile(`^(>=|<)\s*3(?:\.(\d+))?(\.[1-9]\d*)?(?:\.0|\.\*)*$`)

// allOfPython3 is a clause that all versions of Python 3 fulfil.
var allOfPython3 = regexp.MustCompile(`^(>=\s*2(\.\d+)*|<\s*4(\.0)*)?$`)

// Within returns the part of requires-python, which may be "", that these Pythons fulfil: one bound at each side, and what else it says.
// It fails where none of them does.
func (p Pythons) Within(requires string) (string, error) {
	oldest, from, newest, below := p.Oldest, fmt.Sprintf(">=3.%d", p.Oldest), p.Newest, ""
	if newest != 0 {
		below = fmt.Sprintf("<3.%d", newest+1)
	}
	var others []string
	for clause := range strings.SplitSeq(requires, ",") {
		clause = strings.TrimSpace(clause)
		m := pythonBound.FindStringSubmatch(clause)
		if m == nil {
			if !allOfPython3.MatchString(clause) {
				others = append(others, clause)
			}
			continue
		}
		minor, err := strconv.Atoi(cmp.Or(m[2], "0"))
		if err != nil {
			return "", fmt.Errorf("requires-python: %w", err)
		}
		patch, bound := m[3], fmt.Sprintf("%s3.%d%s", m[1], minor, m[3])
		if m[1] == ">=" {
			if minor > oldest || minor == oldest && patch != "" {
				oldest, from = minor, bound
			}
			continue
		}
		if patch == "" {
			minor--
		}
		if newest == 0 || minor < newest || minor == newest && patch != "" {
			newest, below = minor, bound
		}
	}
	if below != "" && newest < oldest {
		return "", fmt.Errorf("requires-python is %s, and here is selfsame-ffi for Python %s only", requires, p)
	}
	bounds := append([]string{from}, others...)
	if below != "" {
		bounds = slices.Insert(bounds, 1, below)
	}
	return strings.Join(bounds, ","), nil
}

// String names the Pythons for users.
func (p Pythons) String() string {
	switch p.Newest {
	case 0:
		return fmt.Sprintf("3.%d and later", p.Oldest)
	case p.Oldest:
		return fmt.Sprintf("3.%d", p.Oldest)
	}
	return fmt.Sprintf("3.%d to 3.%d", p.Oldest, p.Newest)
}
