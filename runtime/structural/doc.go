// Package structural compares and hashes values by what they are made of, as their classes say which fields count,
// which of them define variables, and which classes are compared by identity.
package structural
