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
	bucket, found, err := o.find(&t, key, hash)
	if err != nil || !found {
		return nil, err
	}
	return &t.at(bucket).Pair, nil
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

// Set stores a value under a key. When the map has the key already, the old key object stays.
//
// In a dense map such an entry becomes the newest, in a small map it keeps its position: the ABI's rule.
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

// The set functions return the values that the caller releases when the map is complete, because a release may run any
// code: the key that was not needed and the value that was replaced, or None.

func (o *operation) setSmall(handle unsafe.Pointer, pair Pair) (unused Pair, err error) {
	c := o.cell
	room := c.smallRoom()
	if room >= smallMax && c.Size >= room {
		// Even if the map has the key: the ABI's rule.
		buckets, shift := tableSize(c.Size)
		return o.switchTo(nil, pair, false, buckets, shift)
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
	if c.Size >= room {
		if err := o.growSmall(handle); err != nil {
			return unused, err
		}
	}
	*(*Pair)(unsafe.Add(pointerIn(&c.Data), uintptr(c.Size)*pairSize)) = pair
	c.Size++
	return unused, nil
}

// growSmall gives a small map room for more entries.
func (o *operation) growSmall(handle unsafe.Pointer) error {
	c := o.cell
	room := min(max(2*c.smallRoom(), smallFirst), smallMax)
	if (*abi.Object)(handle).Deleter == o.ObjectDeleter && c.Data == uintptr(handle)+smallPairs {
		c.Capacity = smallTag | room // an object made here has the room
		return nil
	}
	data, err := o.NewBuffer(uintptr(room) * pairSize)
	if err != nil {
		return err
	}
	copy(unsafe.Slice((*Pair)(data), room), c.pairs())
	oldData, oldDeleter := pointerIn(&c.Data), c.DataDeleter
	c.Data, c.Capacity, c.DataDeleter = uintptr(data), smallTag|room, o.BufferDeleter
	o.freeData(oldData, oldDeleter)
	return nil
}

func (o *operation) setDense(pair Pair) (unused Pair, err error) {
	t := o.cell.table()
	hash, err := o.hash(&pair.Key)
	if err != nil {
		return unused, err
	}
	p, err := o.findPlacement(&t, &pair.Key, hash, false)
	if err != nil {
		return unused, err
	}
	switch p.kind {
	case placedNone:
		buckets, shift := t.grown()
		return o.switchTo(&t, pair, true, buckets, shift)
	case placedExisting:
		unused = Pair{pair.Key, t.replace(p.bucket, pair.Value)}
	default:
		t.put(&p, pair)
	}
	o.cell.store(&t)
	return unused, nil
}

// switchTo moves the entries of a small map, or of the table from, and one more into a new table, which it stores.
func (o *operation) switchTo(from *table, last Pair, fresh bool, buckets uint64, shift uint32) (unused Pair, err error) {
	c := o.cell
	t, err := o.rebuild(from, last, fresh, buckets, shift)
	if err != nil {
		return unused, err
	}
	if t.size == c.Size { // last replaced the value of an entry, which the old memory still has; a small map's only
		stored := t.at(t.tail).Key
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

// freeData frees memory that a map had its entries in, without the entries.
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
	bucket, found, err := o.find(&t, key, hash)
	if err != nil || !found {
		return gone, false, err
	}
	gone = t.at(bucket).Pair
	t.erase(t.home(hash), bucket)
	o.cell.store(&t)
	return gone, true, nil
}

// erase removes the entry in bucket from the chain that begins at head. The last entry of the chain moves to its bucket.
func (t *table) erase(head, bucket uint64) {
	last, prior := head, NoBucket
	for next, ok := t.follow(last); ok; next, ok = t.follow(last) {
		last, prior = next, last
	}
	t.unlink(bucket)
	if bucket != last {
		t.move(last, bucket)
	}
	*t.control(last) = controlEmpty
	if prior != NoBucket {
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
		for bucket := uint64(0); bucket < t.buckets; bucket += blockBuckets {
			setEmpty(t.control(bucket))
		}
		c.Head, c.Tail = NoBucket, NoBucket
	}
	for _, p := range gone {
		h.Release(p.Key)
		h.Release(p.Value)
	}
}

// setEmpty marks the 16 buckets of a block as empty.
func setEmpty(first *uint8) {
	*(*[2]uint64)(unsafe.Pointer(first)) = [2]uint64{^uint64(0), ^uint64(0)}
}

// CopyMap makes a Map or Dict with the entries of another in the same layout. The caller owns the reference.
func (h *Host) CopyMap(from unsafe.Pointer, typeIndex int32) (unsafe.Pointer, error) {
	source := MapOf(from)
	if !source.IsSmall() && source.Capacity != 0 {
		return h.copyDense(source, typeIndex)
	}
	handle, err := h.NewMap(typeIndex)
	if err != nil {
		return nil, err
	}
	c := MapOf(handle)
	c.Capacity = smallTag | max(source.Size, smallFirst)
	c.Size = source.Size
	copy(c.pairs(), source.pairs())
	retainAll(c)
	return handle, nil
}

func (h *Host) copyDense(source *Cell, typeIndex int32) (unsafe.Pointer, error) {
	data, err := h.NewBuffer(bufferSize(source.Capacity))
	if err != nil {
		return nil, err
	}
	handle, err := h.NewObject(typeIndex, denseSize)
	if err != nil {
		h.CallDeleter(h.BufferDeleter, data)
		return nil, err
	}
	size := bufferSize(source.Capacity)
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
	for i := c.First(); i != NoBucket; i = c.Next(i) {
		p := c.At(i)
		Retain(p.Key)
		Retain(p.Value)
	}
}
