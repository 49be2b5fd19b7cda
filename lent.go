package selfsame

// Lent is the type of a parameter that gets bytes without a copy: the memory is the caller's, lent until the func
// returns. The func must neither change it nor keep a slice of it; what it wants to keep it copies, with bytes.Clone or
// string(b). A Python bytes object of any size costs as much as a number. A bytearray or memoryview costs little more:
// it cannot be resized during the call, but another thread or code that the func calls may change its content. As a
// slice without spare capacity it can be appended to, which copies it. Results are []byte.
type Lent []byte

func (Lent) newConv() (*conv, error) { return lentConv(), nil }
