package values

import (
	"unicode/utf8"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// IsUTF8 says whether a string is UTF-8, as the ABI's String must be. Most are ASCII, of which it looks at eight bytes at a
// time.
func IsUTF8(s string) bool { return isASCII(s) || utf8.ValidString(s) }

func isASCII(s string) bool {
	const high = 0x8080808080808080
	first, n := unsafe.Pointer(unsafe.StringData(s)), len(s)
	if n < 8 {
		for i := range n {
			if s[i] >= utf8.RuneSelf {
				return false
			}
		}
		return true
	}
	for i := 0; i < n-8; i += 8 {
		if *(*uint64)(unsafe.Add(first, i))&high != 0 {
			return false
		}
	}
	return *(*uint64)(unsafe.Add(first, n-8))&high == 0 // some of these bytes a second time
}

// CheckUTF8 fails for a string that is not UTF-8.
func CheckUTF8(s string) error {
	if IsUTF8(s) {
		return nil
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return fault.New("ValueError", "The string is not UTF-8 at byte %d", i)
			}
		}
	}
	return fault.New("ValueError", "The string is not UTF-8")
}
