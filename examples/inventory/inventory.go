// Package inventory shows fields of every sort: containers that grow, enums, tensors over Go memory, values that may be
// missing, functions.
package inventory

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/selfsame-ffi/selfsame"
)

// Color is an enum: its objects are its members, one for each name.
type Color struct {
	selfsame.IntEnum
	RGB int32 `ffi:"ro" doc:"red, green and blue, eight bits each"`
}

// ColorClass is inventory.Color in every language.
var ColorClass = selfsame.MustRegister[Color]("inventory.Color", selfsame.Doc("What an item looks like."))

// The colors.
var (
	Red  = selfsame.MustMember(ColorClass, "red", 1, func(c *Color) { c.RGB = 0xff0000 })
	Blue = selfsame.MustMember(ColorClass, "blue", 2, func(c *Color) { c.RGB = 0x0000ff })
)

// Item is an item for sale.
type Item struct {
	selfsame.Object
	Name    selfsame.String
	Price   float64 `doc:"in euros"`
	Color   selfsame.Opt[Color]
	Tags    selfsame.List[string]                               `doc:"words to find the item by"`
	Sizes   selfsame.Map[string, float64]                       `doc:"extents in metres, by their names"`
	Picture selfsame.Field[selfsame.Optional[*selfsame.Tensor]] `doc:"rows of grey values"`
	Rating  selfsame.Field[selfsame.Optional[int64]]            `ffi:"default=None"`
	Kind    selfsame.DataType                                   `ffi:"default='uint8'" doc:"of the picture's elements"`
}

// ItemClass is inventory.Item in every language.
var ItemClass = selfsame.MustRegister[Item]("inventory.Item",
	selfsame.Doc("Something to be sold."),
	selfsame.Init(func(it *Item, name string, price float64, color selfsame.Optional[*selfsame.Handle[Color]]) error {
		if price < 0 {
			return selfsame.Errorf("ValueError", "the price of %s is %g, below zero", name, price)
		}
		it.Name.Set(name)
		it.Price = price
		it.Color.Set(color.Value)
		return nil
	}, "name", "price=1", "color=None"),
	selfsame.Method("draw", (*Item).Draw, "Gives the item a picture of one grey.", "rows", "columns", "grey=128"),
	selfsame.Repr(func(it *Item) string { return fmt.Sprintf("<%s for %.2f>", it.Name.Get(), it.Price) }))

// Draw gives the item a picture of one grey. The tensor shares the memory of a Go slice, which stays
// pinned until every language has released the tensor.
func (it *Item) Draw(rows, columns int, grey uint8) error {
	if rows < 0 || columns < 0 {
		return selfsame.Errorf("ValueError", "a picture cannot have %d rows of %d", rows, columns)
	}
	pixels := make([]uint8, rows*columns)
	for i := range pixels {
		pixels[i] = grey
	}
	picture, err := selfsame.NewTensor(pixels, rows, columns)
	if err != nil {
		return err
	}
	it.Picture.Set(selfsame.Some(picture))
	it.Kind = picture.DataType()
	return nil
}

// Store has items, and finds them. Its methods take and give items as *Item, which needs no handles: the list keeps them.
type Store struct {
	selfsame.Object
	Items  selfsame.List[*Item]         `ffi:"ro"`
	ByName selfsame.Dict[string, *Item] `ffi:"ro"`
}

// StoreClass is inventory.Store in every language.
var StoreClass = selfsame.MustRegister[Store]("inventory.Store",
	selfsame.Doc("A number of items."),
	selfsame.Init(func(*Store) {}),
	selfsame.Method("add", (*Store).Add, "Adds an item; one with its name must not be there yet.", "item"),
	selfsame.Method("cheapest", (*Store).Cheapest, "The n cheapest items, the cheapest first.", "n=1"),
	selfsame.Method("total", (*Store).Total, "The sum of all prices, each changed by a function.", "change"))

// Add adds an item.
func (s *Store) Add(item *Item) error {
	name := item.Name.Get()
	if _, ok := s.ByName.Get(name); ok {
		return selfsame.Errorf("KeyError", "there is an item %s already", name)
	}
	s.Items.Append(item)
	s.ByName.Set(name, item)
	return nil
}

// Cheapest gives the n cheapest items, the cheapest first.
func (s *Store) Cheapest(n int) ([]*Item, error) {
	if n < 0 {
		return nil, selfsame.Errorf("ValueError", "%d items were asked for", n)
	}
	sorted := slices.SortedFunc(s.Items.Values(), func(a, b *Item) int {
		return cmp.Compare(a.Price, b.Price)
	})
	return sorted[:min(n, len(sorted))], nil
}

// ErrNoPrice is the error of NoPrice.
var ErrNoPrice = errors.New("no price")

// NoPrice fails. A function that changes prices calls it for an item that has none.
func NoPrice() error { return ErrNoPrice }

// Total returns the sum of all prices, each changed by a function, which may be written in any language. An item for which
// the function fails with ErrNoPrice is left out.
func (s *Store) Total(change func(price float64) (float64, error)) (float64, error) {
	sum := 0.0
	for item := range s.Items.Values() {
		name := item.Name.Get() // before the call: change may remove the item, and nothing but the list keeps it
		price, err := change(item.Price)
		if errors.Is(err, ErrNoPrice) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("the price of %s: %w", name, err)
		}
		sum += price
	}
	return sum, nil
}

// Mean returns the mean of a tensor of float64.
func Mean(x *selfsame.Tensor) (float64, error) {
	elems, err := selfsame.Elements[float64](x)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, e := range elems {
		sum += e
	}
	return sum / float64(len(elems)), nil
}

// ColorNamed gives the color with a name.
func ColorNamed(name string) (*selfsame.Handle[Color], error) {
	color, ok := ColorClass.MemberNamed(name)
	if !ok {
		return nil, selfsame.Errorf("KeyError", "there is no color %s", name)
	}
	return color, nil
}

func init() {
	selfsame.MustRegisterFunc("inventory.mean", Mean, selfsame.ArgNames("x"))
	selfsame.MustRegisterFunc("inventory.no_price", NoPrice)
	selfsame.MustRegisterFunc("inventory.color", ColorNamed, selfsame.ArgNames("name"))
}
