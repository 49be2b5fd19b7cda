package byhand

import (
	"context"

	"github.com/selfsame-ffi/selfsame"
)

// checked looks whether the context has ended; the build sees that it ends at once.
func checked(ctx context.Context, n int) (int, error) { return n + 1, ctx.Err() }

// waited looks the same way as a func does that waits, so that the build cannot know when it ends.
func waited(ctx context.Context, n int) (int, error) {
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	default:
		return n + 1, nil
	}
}

func init() {
	selfsame.MustRegisterFunc("byhand.checked", checked)
	selfsame.MustRegisterFunc("byhand.waited", waited)
}
