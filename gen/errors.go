package gen

import "github.com/selfsame-ffi/selfsame/internal/fault"

// Malformed returns an error of which nothing is known as a ValueError, and others, nil among them, as they are. It is for what a
// func that reads a text says of the text.
func Malformed(err error) error { return fault.Malformed(err) }
