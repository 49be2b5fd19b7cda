package naming

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Normal returns a name of letters, digits and underscores as Python compares it, in Unicode's normal form KC: in source code
// a name in full-width letters, or one with a ligature, is the same as one in plain letters. Marks that are no letters go.
func Normal(name string) string {
	const first = 'ª' // which is replaced
	if strings.IndexFunc(name, func(r rune) bool { return r >= first }) < 0 || !utf8.ValidString(name) {
		return name
	}
	table := nfkc()
	var normal []rune
	for _, r := range name {
		to, changes := table[r]
		if !changes {
			to = string(r)
		}
		for _, r := range to {
			if n := len(normal); n > 0 {
				if joined := syllable(normal[n-1], r); joined != 0 {
					normal[n-1] = joined
					continue
				}
			}
			normal = append(normal, r)
		}
	}
	return string(normal)
}

// syllable returns the Korean syllable that two letters make, 0 for none.
func syllable(a, b rune) rune {
	const leading, vowel, trailing, syllables = 0x1100, 0x1161, 0x11A7, 0xAC00
	const leadings, vowels, trailings = 19, 21, 28
	switch {
	case a >= leading && a < leading+leadings && b >= vowel && b < vowel+vowels:
		return syllables + ((a-leading)*vowels+b-vowel)*trailings
	case a >= syllables && a < syllables+leadings*vowels*trailings && (a-syllables)%trailings == 0 && b > trailing && b < trailing+trailings:
		return a + b - trailing
	}
	return 0
}

// nfkc reads the table.
var nfkc = sync.OnceValue(func() map[rune]string {
	number := func(text string, base int) rune {
		n, err := strconv.ParseInt(text, base, 32)
		if err != nil {
			panic(err) // the table is wrong
		}
		return rune(n)
	}
	table := map[rune]string{}
	var at rune
	for word := range strings.FieldsSeq(nfkcTable) {
		if start, ok := strings.CutSuffix(word, "="); ok {
			at = number(start, 16)
			continue
		}
		if times, start, ok := strings.Cut(word, "*"); ok {
			for i := range number(times, 10) {
				table[at] = string(number(start, 16) + i)
				at++
			}
			continue
		}
		var to []rune
		for part := range strings.SplitSeq(word, "+") {
			if part != "-" {
				to = append(to, number(part, 16))
			}
		}
		table[at] = string(to)
		at++
	}
	return table
})
