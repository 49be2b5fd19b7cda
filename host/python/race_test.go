//go:build race

package python_test

// raceDetector says that the race detector keeps memory of its own for what the tests touch.
const raceDetector = true
