package inventory

import (
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

func TestStore(t *testing.T) {
	store := StoreClass.New(nil)
	defer store.Release()
	for name, price := range map[string]float64{"lamp": 30, "chair": 45.5, "cup": 4} {
		item := ItemClass.New(func(it *Item) {
			it.Name.Set(name)
			it.Price = price
			it.Tags.Append("for the house")
		})
		item.Do(func(it *Item) {
			if err := store.Get().Add(it); err != nil {
				t.Fatal(err)
			}
		})
	}
	cheapest, err := store.Get().Cheapest(2)
	if err != nil || len(cheapest) != 2 || cheapest[0].Name.Get() != "cup" || cheapest[1].Name.Get() != "lamp" {
		t.Errorf("cheapest: %v, %v", cheapest, err)
	}
	if cup, ok := store.Get().ByName.Get("cup"); !ok || cup != cheapest[0] {
		t.Error("the cup is another object by its name")
	}
	if err := store.Get().Add(cheapest[0]); err == nil {
		t.Error("an item was added twice")
	}
	total, err := store.Get().Total(func(price float64) (float64, error) { return price * 2, nil })
	if err != nil || total != 159 {
		t.Errorf("total %v, %v", total, err)
	}
}

func TestMean(t *testing.T) {
	x, err := selfsame.NewTensor([]float64{1, 2, 6})
	if err != nil {
		t.Fatal(err)
	}
	if mean, err := Mean(x); err != nil || mean != 3 {
		t.Errorf("mean %v, %v", mean, err)
	}
	if _, err := Mean(nil); err == nil {
		t.Error("the mean of nothing")
	}
}
