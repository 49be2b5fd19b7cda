//go:build race

package container

// RaceDetector says that these tests are many times slower than usual.
const RaceDetector = true
