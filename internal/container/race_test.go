//go:build race

package container

// raceDetector says that these tests are many times slower than usual.
const raceDetector = true
