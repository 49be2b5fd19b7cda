//go:build race

package testenv

// RaceDetector says that the tests run under the race detector: many times slower, and with memory of its own for what they touch.
const RaceDetector = true
