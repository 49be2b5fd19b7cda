package geo_test

import (
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/python/tests/guide"
)

// Requirement: D2
func TestSameHandle(t *testing.T) {
	p := geo.PointClass.New(func(p *geo.Point) { p.X, p.Y = 3, 4; p.Label.Set("home") })
	q := selfsame.New[geo.Point](nil)
	p.Get().Next.Set(q)
	same := p.Get().Next.Get() == q // true: one handle per object
	if !same || p.Get().Norm() != 5 || p.Get().Label.Get() != "home" {
		t.Errorf("the same handle: %v, norm %v, label %q", same, p.Get().Norm(), p.Get().Label.Get())
	}
}

// Requirement: D4
func TestTensorOverASlice(t *testing.T) {
	kernel, err := selfsame.NewFunc(func(x *selfsame.Tensor) (*selfsame.Tensor, error) {
		elements, err := selfsame.Elements[float32](x)
		if err == nil {
			elements[0] = 7
		}
		return x, err
	})
	if err != nil {
		t.Fatal(err)
	}
	pixels := make([]float32, 640*480)
	x, err := selfsame.NewTensor(pixels, 480, 640) // no copy: x shares the memory of pixels
	if err != nil {
		t.Fatal(err)
	}
	y, err := kernel.Call(x) // C++, Python and others write into pixels
	if err != nil {
		t.Fatal(err)
	}
	elements, err := selfsame.Elements[float32](x) // the other way: a tensor's memory as a slice
	if err != nil {
		t.Fatal(err)
	}
	if y.(*selfsame.Tensor) != x || pixels[0] != 7 || &elements[0] != &pixels[0] {
		t.Errorf("the tensor came back as %v, its first element is %v", y, pixels[0])
	}
}
