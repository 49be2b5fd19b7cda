//go:build !race

package testenv

// RaceDetector says that the tests run under the race detector.
const RaceDetector = false
