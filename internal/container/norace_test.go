//go:build !race

package container

const raceDetector = false
