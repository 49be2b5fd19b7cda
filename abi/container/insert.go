package container

import "github.com/selfsame-ffi/selfsame/abi"

// operation is one call on one map. While it runs, the hash and equality functions of key types may run any code, so
// after each of them it looks whether the map still is what it was.
type operation struct {
	*Host
	cell   *Cell
	before Cell
}

func (h *Host) begin(cell *Cell) operation {
	return operation{h, cell, observed(cell)}
}

// observed copies the part of a cell that a change shows in.
func observed(cell *Cell) Cell {
	was := Cell{Data: cell.Data, Size: cell.Size, Slots: cell.Slots, DataDeleter: cell.DataDeleter}
	if !cell.IsSmall() {
		was.Head, was.Tail = cell.Head, cell.Tail
	}
	return was
}

func (o *operation) unchanged() error {
	if observed(o.cell) != o.before {
		return ErrChanged
	}
	return nil
}

// hash of a key that lies in the map or is the caller's.
func (o *operation) hash(key *abi.Any) (uint64, error) {
	if hook(o.HashColumn, key.TypeIndex).TypeIndex == abi.IndexNone {
		return Hash(key), nil
	}
	held := Retain(*key) // the map may let go of it meanwhile
	defer o.Release(held)
	hash, err := o.Hash(&held)
	if err == nil {
		err = o.unchanged()
	}
	return hash, err
}

func (o *operation) equal(stored, key *abi.Any) (bool, error) {
	if hook(o.EqualColumn, key.TypeIndex).TypeIndex == abi.IndexNone {
		return Equal(stored, key), nil
	}
	held := Retain(*stored)
	defer o.Release(held)
	same, err := o.Equal(&held, key)
	if err == nil {
		err = o.unchanged()
	}
	return same, err
}

// place is where an entry goes in a table, found without changing anything.
type place struct {
	kind  placeKind
	slot  uint64
	prior uint64 // placeMember: the last of the chain; placeMoved: the one before the member in the way
	jump  uint8  // placeMember: from prior to slot
	moves []move // placeMoved: who makes room, in order
}

type placeKind int

const (
	placeNone     placeKind = iota // the table must grow
	placeExisting                  // the key is in slot
	placeHead                      // slot is empty and begins the chain
	placeMember                    // slot is empty and continues the chain
	placeMoved                     // slot begins the chain once its member of another chain has moved on
)

// move takes an entry out of the way: it and the rest of its chain go to where a jump from the chain's last leads.
type move struct {
	from, to uint64
	jump     uint8
}

// find looks a key up. slot is where it is; in the same chain, head is the first.
func (o *operation) find(t *table, key *abi.Any, hash uint64) (slot uint64, found bool, err error) {
	if t.size == 0 || t.slots == 0 {
		return 0, false, nil
	}
	slot = t.home(hash)
	if *t.state(slot)&memberBit != 0 {
		return 0, false, nil
	}
	for ok := true; ok; slot, ok = t.follow(slot) {
		same, err := o.equal(&t.item(slot).Key, key)
		if err != nil || same {
			return slot, same, err
		}
	}
	return 0, false, nil
}

// findPlace finds where a key goes. fresh: the key is known not to be in the table.
func (o *operation) findPlace(t *table, key *abi.Any, hash uint64, fresh bool) (place, error) {
	if t.slots == 0 {
		return place{}, nil
	}
	slot := t.home(hash)
	switch state := *t.state(slot); {
	case state == slotEmpty:
		return place{kind: placeHead, slot: slot}, nil
	case state&memberBit != 0:
		if t.isFull() {
			return place{}, nil
		}
		return o.findMoves(t, slot)
	}
	for {
		if !fresh {
			same, err := o.equal(&t.item(slot).Key, key)
			if err != nil {
				return place{}, err
			}
			if same {
				return place{kind: placeExisting, slot: slot}, nil
			}
		}
		next, ok := t.follow(slot)
		if !ok {
			break
		}
		slot = next
	}
	if t.isFull() {
		return place{}, nil
	}
	for jump := uint8(1); jump <= lastJump; jump++ {
		if to := t.target(slot, jump); *t.state(to) == slotEmpty {
			return place{kind: placeMember, slot: to, prior: slot, jump: jump}, nil
		}
	}
	return place{}, nil
}

// findMoves plans how the member of another chain in slot and those after it make room. Nothing is moved yet: the plan
// may turn out impossible halfway.
func (o *operation) findMoves(t *table, slot uint64) (place, error) {
	prior, err := o.prior(t, slot)
	if err != nil {
		return place{}, err
	}
	plan := place{kind: placeMoved, slot: slot, prior: prior}
	last, from := prior, slot
	for {
		to, jump := plan.nextEmpty(t, last)
		if jump == 0 {
			return place{}, nil
		}
		plan.moves = append(plan.moves, move{from, to, jump})
		last = to
		next, ok := t.follow(from)
		if !ok {
			return plan, nil
		}
		from = next
	}
}

// nextEmpty finds an empty slot to jump to, as things stand after the moves planned so far. jump is 0 when there is none.
func (p *place) nextEmpty(t *table, slot uint64) (to uint64, jump uint8) {
	for jump = 1; jump <= lastJump; jump++ {
		if to = t.target(slot, jump); p.isEmpty(t, to) {
			return to, jump
		}
	}
	return 0, 0
}

func (p *place) isEmpty(t *table, slot uint64) bool {
	empty := *t.state(slot) == slotEmpty
	for i, m := range p.moves {
		switch slot {
		case m.to:
			empty = false
		case m.from:
			empty = i != 0 // the first vacated slot is kept for the new entry
		}
	}
	return empty
}

// prior is the member before slot in its chain.
func (o *operation) prior(t *table, slot uint64) (uint64, error) {
	hash, err := o.hash(&t.item(slot).Key)
	if err != nil {
		return 0, err
	}
	for at, ok := t.home(hash), true; ok; {
		next, more := t.follow(at)
		if more && next == slot {
			return at, nil
		}
		at, ok = next, more
	}
	return 0, ErrUnstableHash
}

// put stores a new entry at its place, which is not placeNone or placeExisting.
func (t *table) put(p *place, pair Pair) {
	last := p.prior
	state := uint8(0)
	switch p.kind {
	case placeMember:
		state = memberBit
		t.setJump(p.prior, p.jump)
	case placeMoved:
		for _, m := range p.moves {
			*t.state(m.to) = memberBit
			t.move(m.from, m.to)
			*t.state(m.from) = slotEmpty // the first of them is p.slot, which is taken below
			t.setJump(last, m.jump)
			last = m.to
		}
	}
	*t.state(p.slot) = state
	t.item(p.slot).Pair = pair
	t.pushBack(p.slot)
	t.size++
}

// ---- growth ----------------------------------------------------------------------------------------------

// newTable makes an empty table.
func (h *Host) newTable(slots uint64, shift uint32) (table, error) {
	if slots > maxBuffer/uint64(blockSize) {
		return table{}, ErrTooLarge
	}
	data, err := h.NewBuffer(bufferSize(slots))
	if err != nil {
		return table{}, err
	}
	t := table{data: data, slots: slots, shift: shift, head: NoSlot, tail: NoSlot}
	for slot := uint64(0); slot < slots; slot += blockSlots {
		setEmpty(t.state(slot))
	}
	return t, nil
}

// drop releases the memory of a table made here, not the entries.
func (h *Host) drop(t *table) { h.CallDeleter(h.BufferDeleter, t.data) }

// rebuild makes a table of the given size with the map's entries, or those of a table on its way into the map, and one
// more. The entries are copied cell by cell: they belong to the old memory until the caller commits to the new one.
func (o *operation) rebuild(from *table, last Pair, fresh bool, slots uint64, shift uint32) (t table, err error) {
	if t, err = o.newTable(slots, shift); err != nil {
		return t, err
	}
	if from == nil {
		for i := uint64(0); i < o.cell.Size && err == nil; i++ {
			err = o.add(&t, o.cell.pairs()[i], true)
		}
	} else if from.size != 0 {
		for slot := from.head; slot != NoSlot && err == nil; slot = from.item(slot).next {
			err = o.add(&t, from.item(slot).Pair, true)
		}
	}
	if err == nil {
		err = o.add(&t, last, fresh)
	}
	if err != nil {
		o.drop(&t)
	}
	return t, err
}

// add puts an entry into a table that nobody else sees yet, growing it as needed. On failure the table is as before.
func (o *operation) add(t *table, pair Pair, fresh bool) error {
	hash, err := o.hash(&pair.Key)
	if err != nil {
		return err
	}
	p, err := o.findPlace(t, &pair.Key, hash, fresh)
	if err != nil {
		return err
	}
	switch p.kind {
	case placeNone:
		slots, shift := t.grown()
		bigger, err := o.rebuild(t, pair, true, slots, shift)
		if err != nil {
			return err
		}
		o.drop(t)
		*t = bigger
	case placeExisting:
		t.replace(p.slot, pair.Value)
	default:
		t.put(&p, pair)
	}
	return nil
}

// grown is the size after the table's.
func (t *table) grown() (slots uint64, shift uint32) {
	if t.slots == 0 {
		return tableSize(smallMax)
	}
	return 2 * t.slots, t.shift - 1
}

// replace stores a value under a key that is there and makes it the newest. The old value is returned.
func (t *table) replace(slot uint64, value abi.Any) (old abi.Any) {
	it := t.item(slot)
	old, it.Value = it.Value, value
	t.unlink(slot)
	t.pushBack(slot)
	return old
}
