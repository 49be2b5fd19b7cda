//go:build !race

package container

const RaceDetector = false
