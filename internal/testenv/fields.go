package testenv

import (
	"encoding/binary"
	"testing"
)

// Fields returns the fields, one after another in little-endian order, as the parts of a file.
func Fields(t testing.TB, fields ...any) []byte {
	t.Helper()
	var made []byte
	for _, f := range fields {
		var err error
		if made, err = binary.Append(made, binary.LittleEndian, f); err != nil {
			t.Fatal(err)
		}
	}
	return made
}
