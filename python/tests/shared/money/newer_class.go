//go:build newer_class

package money

// What differs between the versions of this package; this is a version with another class.
type (
	share = int32
	term  = int64
)
