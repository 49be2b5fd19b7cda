package jsongraph

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
)

// digits are the values of the characters of base 64. Other characters count as 0, as in the published library.
var digits = func() (table [256]byte) {
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		table[c] = byte(i)
	}
	return
}()

// toBytes decodes a base 64 string to a bytes value, owned by the caller.
func toBytes(data *abi.Any) (abi.Any, error) {
	text, err := toText(data)
	if err != nil {
		return abi.Any{}, err
	}
	if len(text)%4 != 0 {
		return abi.Any{}, failure.Internal("Check failed: (bytes.size %% 4 == 0) is false: invalid base64 encoding")
	}
	out := make([]byte, 0, len(text)/4*3)
	for i := 0; i < len(text); i += 4 {
		group := uint32(digits[text[i]])<<18 | uint32(digits[text[i+1]])<<12 | uint32(digits[text[i+2]])<<6 | uint32(digits[text[i+3]])
		out = append(out, byte(group>>16))
		if text[i+2] != '=' {
			out = append(out, byte(group>>8))
		}
		if text[i+3] != '=' {
			out = append(out, byte(group))
		}
	}
	return graph.NewBytes(out)
}
