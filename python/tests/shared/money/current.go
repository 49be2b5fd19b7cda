//go:build !newer_class && !newer_function

package money

// What differs between the versions of this package; this is the version that both libraries should have.
type (
	share = int64
	term  = int64
)
