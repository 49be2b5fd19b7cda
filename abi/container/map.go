package container

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// NewMap makes an empty Map or Dict. The caller owns the reference.
func (h *Host) NewMap(typeIndex int32) (unsafe.Pointer, error) {
	handle, err := h.NewObject(typeIndex, smallSize)
	if err != nil {
		return nil, err
	}
	*(*[4]uint64)(unsafe.Pointer(MapOf(handle))) = [4]uint64{
		uint64(uintptr(handle) + smallPairs), 0, smallTag | smallFirst, 0,
	}
	return handle, nil
}

// Find looks a key up. nil: there is none.
func (h *Host) Find(handle unsafe.Pointer, key *abi.Any) (*Pair, error) {
	o := h.begin(MapOf(handle))
	if o.cell.IsSmall() {
		i, found, err := o.findSmall(key)
		if err != nil || !found {
			return nil, err
		}
		return &o.cell.pairs()[i], nil
	}
	t := o.cell.table()
	if t.size == 0 {
		return nil, nil
	}
	hash, err := o.hash(key)
	if err != nil {
		return nil, err
	}
	slot, found, err := o.find(&t, key, hash)
	if err != nil || !found {
		return nil, err
	}
	return &t.item(slot).Pair, nil
}

func (o *operation) findSmall(key *abi.Any) (index int, found bool, err error) {
	pairs := o.cell.pairs()
	for i := range pairs {
		same, err := o.equal(&pairs[i].Key, key)
		if err != nil || same {
			return i, same, err
		}
	}
	return 0, false, nil
}

// Set stores a value under a key, in place. Of a key that is there already, the old one stays.
//
// In a hash table such an entry becomes the newest, in a small map it keeps its place: that is how the ABI has it.
func (h *Host) Set(handle unsafe.Pointer, key, value abi.Any) error {
	o := h.begin(MapOf(handle))
	var unused Pair
	var err error
	if o.cell.IsSmall() {
		unused, err = o.setSmall(handle, Pair{key, value})
	} else {
		unused, err = o.setDense(Pair{key, value})
	}
	if err != nil {
		unused = Pair{key, value}
	}
	h.Release(unused.Key)
	h.Release(unused.Value)
	return err
}

// The set functions return what is to be released when all is done: that may run any code. It is the key that was not
// needed and the value that was replaced, or nothing.

func (o *operation) setSmall(handle unsafe.Pointer, pair Pair) (unused Pair, err error) {
	c := o.cell
	slots := c.smallSlots()
	if slots >= smallMax && c.Size >= slots {
		// Even if the key is there: the ABI does not look.
		slots, shift := tableSize(c.Size)
		return o.switchTo(nil, pair, false, slots, shift)
	}
	i, found, err := o.findSmall(&pair.Key)
	if err != nil {
		return unused, err
	}
	if found {
		entry := &c.pairs()[i]
		unused = Pair{pair.Key, entry.Value}
		entry.Value = pair.Value
		return unused, nil
	}
	if c.Size >= slots {
		if err := o.growSmall(handle); err != nil {
			return unused, err
		}
	}
	*(*Pair)(unsafe.Add(pointerIn(&c.Data), uintptr(c.Size)*pairSize)) = pair
	c.Size++
	return unused, nil
}

// growSmall gives a small map more slots.
func (o *operation) growSmall(handle unsafe.Pointer) error {
	c := o.cell
	slots := min(max(2*c.smallSlots(), smallFirst), smallMax)
	if (*abi.Object)(handle).Deleter == o.ObjectDeleter && c.Data == uintptr(handle)+smallPairs {
		c.Slots = smallTag | slots // our own objects have the room
		return nil
	}
	data, err := o.NewBuffer(uintptr(slots) * pairSize)
	if err != nil {
		return err
	}
	copy(unsafe.Slice((*Pair)(data), slots), c.pairs())
	oldData, oldDeleter := pointerIn(&c.Data), c.DataDeleter
	c.Data, c.Slots, c.DataDeleter = uintptr(data), smallTag|slots, o.BufferDeleter
	o.freeData(oldData, oldDeleter)
	return nil
}

func (o *operation) setDense(pair Pair) (unused Pair, err error) {
	t := o.cell.table()
	hash, err := o.hash(&pair.Key)
	if err != nil {
		return unused, err
	}
	p, err := o.findPlace(&t, &pair.Key, hash, false)
	if err != nil {
		return unused, err
	}
	switch p.kind {
	case placeNone:
		slots, shift := t.grown()
		return o.switchTo(&t, pair, true, slots, shift)
	case placeExisting:
		unused = Pair{pair.Key, t.replace(p.slot, pair.Value)}
	default:
		t.put(&p, pair)
	}
	o.cell.store(&t)
	return unused, nil
}

// switchTo moves the map's entries, which are in from if that is not nil, and one more into a new table.
func (o *operation) switchTo(from *table, last Pair, fresh bool, slots uint64, shift uint32) (unused Pair, err error) {
	c := o.cell
	t, err := o.rebuild(from, last, fresh, slots, shift)
	if err != nil {
		return unused, err
	}
	if t.size == c.Size { // last replaced the value of an entry that the old memory still shows; only a small map's
		stored := t.item(t.tail).Key
		for _, p := range c.pairs() {
			if p.Key == stored {
				unused = Pair{last.Key, p.Value}
			}
		}
	}
	data, deleter := pointerIn(&c.Data), c.DataDeleter
	c.store(&t)
	c.DataDeleter = o.BufferDeleter
	o.freeData(data, deleter)
	return unused, nil
}

// freeData releases the memory a map had its entries in, not the entries.
func (h *Host) freeData(data unsafe.Pointer, deleter uintptr) {
	if deleter != 0 && data != nil {
		h.CallDeleter(deleter, data)
	}
}

// Erase removes the entry of a key and says whether there was one.
func (h *Host) Erase(handle unsafe.Pointer, key *abi.Any) (bool, error) {
	o := h.begin(MapOf(handle))
	var gone Pair
	var found bool
	var err error
	if o.cell.IsSmall() {
		gone, found, err = o.eraseSmall(key)
	} else {
		gone, found, err = o.eraseDense(key)
	}
	if err != nil || !found {
		return false, err
	}
	h.Release(gone.Key)
	h.Release(gone.Value)
	return true, nil
}

func (o *operation) eraseSmall(key *abi.Any) (gone Pair, found bool, err error) {
	i, found, err := o.findSmall(key)
	if err != nil || !found {
		return gone, false, err
	}
	pairs := o.cell.pairs()
	gone = pairs[i]
	copy(pairs[i:], pairs[i+1:])
	o.cell.Size--
	return gone, true, nil
}

func (o *operation) eraseDense(key *abi.Any) (gone Pair, found bool, err error) {
	t := o.cell.table()
	if t.size == 0 {
		return gone, false, nil
	}
	hash, err := o.hash(key)
	if err != nil {
		return gone, false, err
	}
	slot, found, err := o.find(&t, key, hash)
	if err != nil || !found {
		return gone, false, err
	}
	gone = t.item(slot).Pair
	t.erase(t.home(hash), slot)
	o.cell.store(&t)
	return gone, true, nil
}

// erase takes the entry in slot out of the chain that begins at head. The last of the chain fills the gap.
func (t *table) erase(head, slot uint64) {
	last, prior := head, NoSlot
	for next, ok := t.follow(last); ok; next, ok = t.follow(last) {
		last, prior = next, last
	}
	t.unlink(slot)
	if slot != last {
		t.move(last, slot)
	}
	*t.state(last) = slotEmpty
	if prior != NoSlot {
		t.setJump(prior, 0)
	}
	t.size--
}

// Clear removes all entries. The memory stays.
func (h *Host) Clear(handle unsafe.Pointer) {
	c := MapOf(handle)
	gone := c.Pairs()
	c.Size = 0
	if !c.IsSmall() {
		t := c.table()
		for slot := uint64(0); slot < t.slots; slot += blockSlots {
			setEmpty(t.state(slot))
		}
		c.Head, c.Tail = NoSlot, NoSlot
	}
	for _, p := range gone {
		h.Release(p.Key)
		h.Release(p.Value)
	}
}

// setEmpty marks the sixteen slots of a block.
func setEmpty(first *uint8) {
	*(*[2]uint64)(unsafe.Pointer(first)) = [2]uint64{^uint64(0), ^uint64(0)}
}

// CopyMap makes a Map or Dict with the entries of another, laid out as they are there. The caller owns the reference.
func (h *Host) CopyMap(from unsafe.Pointer, typeIndex int32) (unsafe.Pointer, error) {
	source := MapOf(from)
	if !source.IsSmall() && source.Slots != 0 {
		return h.copyDense(source, typeIndex)
	}
	handle, err := h.NewMap(typeIndex)
	if err != nil {
		return nil, err
	}
	c := MapOf(handle)
	c.Slots = smallTag | max(source.Size, smallFirst)
	c.Size = source.Size
	copy(c.pairs(), source.pairs())
	retainAll(c)
	return handle, nil
}

func (h *Host) copyDense(source *Cell, typeIndex int32) (unsafe.Pointer, error) {
	data, err := h.NewBuffer(bufferSize(source.Slots))
	if err != nil {
		return nil, err
	}
	handle, err := h.NewObject(typeIndex, denseSize)
	if err != nil {
		h.CallDeleter(h.BufferDeleter, data)
		return nil, err
	}
	size := bufferSize(source.Slots)
	copy(unsafe.Slice((*byte)(data), size), unsafe.Slice((*byte)(pointerIn(&source.Data)), size))
	t := source.table()
	t.data = data
	c := MapOf(handle)
	c.DataDeleter = h.BufferDeleter
	c.store(&t)
	retainAll(c)
	return handle, nil
}

func retainAll(c *Cell) {
	for i := c.First(); i != NoSlot; i = c.Next(i) {
		p := c.At(i)
		Retain(p.Key)
		Retain(p.Value)
	}
}
