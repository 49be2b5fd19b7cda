package signatures

import (
	"os"
	"time"
)

// A test may ask for an initialisation that takes long: for a duration, or for ever.
func init() {
	switch text := os.Getenv("SELFSAME_TEST_INIT"); text {
	case "":
	case "forever":
		<-make(chan int)
	default:
		if duration, err := time.ParseDuration(text); err == nil {
			time.Sleep(duration)
		}
	}
}
