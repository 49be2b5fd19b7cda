//go:build newer_function

package money

// What differs between the versions of this package; this is a version with another function.
type (
	share = int64
	term  = float64
)
