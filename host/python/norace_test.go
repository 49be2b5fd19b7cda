//go:build !race

package python_test

const raceDetector = false
