package geo

import (
	"errors"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

func TestNearest(t *testing.T) {
	nearest, err := selfsame.GetFunc("geo.nearest")
	if err != nil {
		t.Fatal(err)
	}
	defer nearest.Release()
	_, err = nearest.Call([]*Point{})
	var failure *selfsame.Error
	if !errors.As(err, &failure) || failure.Kind != "ValueError" {
		t.Errorf("of no points: got error %v, want a ValueError", err)
	}
}

func TestNorm(t *testing.T) {
	p := &Point{X: 3, Y: 4}
	if got := p.Norm(); got != 5 {
		t.Errorf("got %v, want 5", got)
	}
}
