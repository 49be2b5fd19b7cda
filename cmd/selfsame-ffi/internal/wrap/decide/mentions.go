package decide

import (
	"go/types"
)

// count counts how the types of a wrapped package stand in its signatures.
func (d *Decider) count(p *types.Package) {
	signature := func(sig *types.Signature) {
		for v := range sig.Params().Variables() {
			d.mentionType(v.Type(), false)
		}
		for v := range sig.Results().Variables() {
			d.mentionType(v.Type(), true)
		}
	}
	for _, name := range p.Scope().Names() {
		switch o := p.Scope().Lookup(name).(type) {
		case *types.Func:
			if o.Exported() {
				signature(o.Signature())
			}
		case *types.Var:
			if o.Exported() {
				d.mentionType(o.Type(), true)
				d.hold(o.Type(), nil)
			}
		case *types.TypeName:
			n, ok := o.Type().(*types.Named)
			if !ok || !o.Exported() {
				continue
			}
			for m := range types.NewMethodSet(types.NewPointer(n)).Methods() {
				if f, ok := m.Obj().(*types.Func); ok && f.Exported() {
					signature(f.Signature())
				}
			}
			if s, ok := n.Underlying().(*types.Struct); ok {
				for f := range s.Fields() {
					if f.Exported() {
						d.mentionType(f.Type(), false)
						d.hold(f.Type(), n)
					}
				}
			} else if n.TypeParams().Len() == 0 {
				d.mentionType(n.Underlying(), false)
			}
			if iface, ok := n.Underlying().(*types.Interface); ok {
				for m := range iface.Methods() {
					signature(m.Signature())
					d.holdParams(m.Signature())
				}
			}
		}
	}
}

func (d *Decider) mentionType(t types.Type, result bool) {
	note := func(n *types.Named, pointer bool) {
		key := types.TypeString(n, nil)
		m := d.mention[key]
		if pointer {
			m.pointer++
		} else {
			m.value++
		}
		if result && (pointer || isFunc(n)) {
			m.returned++
		}
		d.mention[key] = m
	}
	switch x := types.Unalias(t).(type) {
	case *types.Named:
		note(x, false)
	case *types.Pointer:
		if n, ok := types.Unalias(x.Elem()).(*types.Named); ok {
			note(n, true)
		}
	case *types.Slice:
		d.mentionType(x.Elem(), result)
	case *types.Map:
		d.mentionType(x.Key(), false)
		d.mentionType(x.Elem(), result)
	case *types.Array:
		d.mentionType(x.Elem(), result)
	case *types.Chan:
		d.mentionType(x.Elem(), result)
	case *types.Signature:
		d.holdParams(x)
		for _, list := range []*types.Tuple{x.Params(), x.Results()} {
			for v := range list.Variables() {
				d.mentionType(v.Type(), false)
			}
		}
	}
}

func isFunc(n *types.Named) bool {
	_, ok := n.Underlying().(*types.Signature)
	return ok
}
