package container

// newTable makes an empty table.
func (h *Host) newTable(buckets uint64, shift uint32) (table, error) {
	if buckets > maxBuffer/uint64(blockSize) {
		return table{}, ErrTooLarge
	}
	data, err := h.NewBuffer(bufferSize(buckets))
	if err != nil {
		return table{}, err
	}
	t := table{data: data, buckets: buckets, shift: shift, head: NoBucket, tail: NoBucket}
	for bucket := uint64(0); bucket < buckets; bucket += blockBuckets {
		setEmpty(t.control(bucket))
	}
	return t, nil
}

// drop frees the memory of a new table, without its entries.
func (h *Host) drop(t *table) { h.CallDeleter(h.BufferDeleter, t.data) }

// rebuild makes a table of the given size with the entries of the map, or of the table from, and one more. It copies
// entries without taking references: the old memory owns them until the caller stores the new table.
func (o *operation) rebuild(from *table, last Pair, fresh bool, buckets uint64, shift uint32) (t table, err error) {
	if t, err = o.newTable(buckets, shift); err != nil {
		return t, err
	}
	if from == nil {
		for i := uint64(0); i < o.cell.Size && err == nil; i++ {
			err = o.add(&t, o.cell.pairs()[i], true)
		}
	} else if from.size != 0 {
		for bucket := from.head; bucket != NoBucket && err == nil; bucket = from.at(bucket).next {
			err = o.add(&t, from.at(bucket).Pair, true)
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

// add puts an entry into a new table, growing it as needed. On failure the table is unchanged.
func (o *operation) add(t *table, pair Pair, fresh bool) error {
	hash, err := o.hash(&pair.Key)
	if err != nil {
		return err
	}
	p, err := o.findPlacement(t, &pair.Key, hash, fresh)
	if err != nil {
		return err
	}
	switch p.kind {
	case placedNone:
		buckets, shift := t.grown()
		bigger, err := o.rebuild(t, pair, true, buckets, shift)
		if err != nil {
			return err
		}
		o.drop(t)
		*t = bigger
	case placedExisting:
		t.replace(p.bucket, pair.Value)
	default:
		t.put(&p, pair)
	}
	return nil
}

// grown returns the next larger size.
func (t *table) grown() (buckets uint64, shift uint32) {
	if t.buckets == 0 {
		return tableSize(smallMax)
	}
	return 2 * t.buckets, t.shift - 1
}
