// Package emit has what the packages below it share: each of them writes one language, and alone knows its syntax.
package emit

// File is a generated file.
type File struct {
	Name string
	Text []byte
}
