package decide

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/overrides"
)

// alias gives what is bound a further name.
func (d *Decider) alias(a overrides.Alias) error {
	taken := fmt.Errorf("//wrap:alias %s %s: the Python package has something of that name", a.Of, a.Python)
	found := false
	add := func(names *form.Names, all []*form.Item) ([]*form.Item, error) {
		for _, i := range all {
			if i.ID != a.Of || !i.IsWritten() {
				continue
			}
			if found = true; names.Has(a.Python) {
				return nil, taken
			}
			further := *i
			further.Python, further.Counted = names.Take(a.Python), false
			further.Doc += "\n\nDeprecated: it is called " + i.Python + " now."
			all = append(all, &further)
		}
		return all, nil
	}
	var err error
	for _, c := range d.plan.Classes {
		if c.Target && c.Named != nil && c.Named.Obj().Name() == a.Of {
			if found = true; d.module.Has(a.Python) {
				return taken
			}
			d.plan.Constants = append(d.plan.Constants, &form.Constant{ID: a.Of, Python: d.module.Take(a.Python), Other: c.InPackage(),
				Doc: "Deprecated: it is called " + c.Python() + " now."})
		}
		if c.Members, err = add(&c.Names, c.Members); err != nil {
			return err
		}
	}
	if d.plan.Functions, err = add(&d.module, d.plan.Functions); err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("//wrap:alias %s: nothing of that name is bound; names are those in Go, as in Bitmap or Bitmap.Add", a.Of)
	}
	return nil
}
