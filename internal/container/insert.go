package container

import "github.com/selfsame-ffi/selfsame/abi"

// operation is one call on one map. The hash and equality hooks of key classes may run any code, so after each of them
// the operation checks that the map is unchanged.
type operation struct {
	*Host
	cell   *Cell
	before Cell
}

func (h *Host) begin(cell *Cell) operation {
	return operation{h, cell, observed(cell)}
}

// observed copies the fields of a cell that every change of the map changes.
func observed(cell *Cell) Cell {
	was := Cell{Data: cell.Data, Size: cell.Size, Capacity: cell.Capacity, DataDeleter: cell.DataDeleter}
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

// hash of a key, the map's or the caller's.
func (o *operation) hash(key *abi.Any) (uint64, error) {
	if hook(o.HashColumn, key.TypeIndex).TypeIndex == abi.IndexNone {
		return Hash(key), nil
	}
	held := Retain(*key) // the hook may remove it from the map
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

// placement says where an entry goes in a table. Finding it changes nothing.
type placement struct {
	kind   placementKind
	bucket uint64
	prior  uint64 // placedMember: the last bucket of the chain; placedMoved: the one before `bucket` in the other chain
	jump   uint8  // placedMember: from prior to bucket
	moves  []move // placedMoved: the entries to move, in order
}

type placementKind int

const (
	placedNone     placementKind = iota // the table must grow
	placedExisting                      // the key is in bucket
	placedHead                          // bucket is empty and begins the chain
	placedMember                        // bucket is empty and continues the chain
	placedMoved                         // bucket begins the chain once its member of another chain has moved on
)

// move is one entry that moves to another bucket, to which jump leads from the bucket before it in its chain.
type move struct {
	from, to uint64
	jump     uint8
}

// find looks a key up and returns its bucket.
func (o *operation) find(t *table, key *abi.Any, hash uint64) (bucket uint64, found bool, err error) {
	if t.size == 0 || t.buckets == 0 {
		return 0, false, nil
	}
	bucket = t.home(hash)
	if *t.control(bucket)&controlMember != 0 {
		return 0, false, nil
	}
	for ok := true; ok; bucket, ok = t.follow(bucket) {
		same, err := o.equal(&t.at(bucket).Key, key)
		if err != nil || same {
			return bucket, same, err
		}
	}
	return 0, false, nil
}

// findPlacement finds where a key goes. fresh: the key is known not to be in the table.
func (o *operation) findPlacement(t *table, key *abi.Any, hash uint64, fresh bool) (placement, error) {
	if t.buckets == 0 {
		return placement{}, nil
	}
	bucket := t.home(hash)
	switch control := *t.control(bucket); {
	case control == controlEmpty:
		return placement{kind: placedHead, bucket: bucket}, nil
	case control&controlMember != 0:
		if t.isFull() {
			return placement{}, nil
		}
		return o.findMoves(t, bucket)
	}
	for {
		if !fresh {
			same, err := o.equal(&t.at(bucket).Key, key)
			if err != nil {
				return placement{}, err
			}
			if same {
				return placement{kind: placedExisting, bucket: bucket}, nil
			}
		}
		next, ok := t.follow(bucket)
		if !ok {
			break
		}
		bucket = next
	}
	if t.isFull() {
		return placement{}, nil
	}
	for jump := uint8(1); jump <= lastJump; jump++ {
		if to := t.target(bucket, jump); *t.control(to) == controlEmpty {
			return placement{kind: placedMember, bucket: to, prior: bucket, jump: jump}, nil
		}
	}
	return placement{}, nil
}

// findMoves plans how the entry in bucket, which belongs to another chain, and those after it in that chain move away.
// It moves nothing: the plan may turn out impossible halfway.
func (o *operation) findMoves(t *table, bucket uint64) (placement, error) {
	prior, err := o.prior(t, bucket)
	if err != nil {
		return placement{}, err
	}
	plan := placement{kind: placedMoved, bucket: bucket, prior: prior}
	last, from := prior, bucket
	for {
		to, jump := plan.nextEmpty(t, last)
		if jump == 0 {
			return placement{}, nil
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

// nextEmpty finds a bucket to jump to that is empty after the moves planned so far. jump is 0 when there is none.
func (p *placement) nextEmpty(t *table, bucket uint64) (to uint64, jump uint8) {
	for jump = 1; jump <= lastJump; jump++ {
		if to = t.target(bucket, jump); p.isEmpty(t, to) {
			return to, jump
		}
	}
	return 0, 0
}

func (p *placement) isEmpty(t *table, bucket uint64) bool {
	empty := *t.control(bucket) == controlEmpty
	for i, m := range p.moves {
		switch bucket {
		case m.to:
			empty = false
		case m.from:
			empty = i != 0 // the first vacated bucket is kept for the new entry
		}
	}
	return empty
}

// prior returns the bucket before another in its chain.
func (o *operation) prior(t *table, bucket uint64) (uint64, error) {
	hash, err := o.hash(&t.at(bucket).Key)
	if err != nil {
		return 0, err
	}
	for at, ok := t.home(hash), true; ok; {
		next, more := t.follow(at)
		if more && next == bucket {
			return at, nil
		}
		at, ok = next, more
	}
	return 0, ErrUnstableHash
}

// put stores a new entry as planned, which is not placedNone or placedExisting.
func (t *table) put(p *placement, pair Pair) {
	last := p.prior
	control := uint8(0)
	switch p.kind {
	case placedMember:
		control = controlMember
		t.setJump(p.prior, p.jump)
	case placedMoved:
		for _, m := range p.moves {
			*t.control(m.to) = controlMember
			t.move(m.from, m.to)
			*t.control(m.from) = controlEmpty // the first of them is p.bucket, which is filled below
			t.setJump(last, m.jump)
			last = m.to
		}
	}
	*t.control(p.bucket) = control
	t.at(p.bucket).Pair = pair
	t.pushBack(p.bucket)
	t.size++
}

// ---- growth ----------------------------------------------------------------------------------------------

// replace stores a value in an entry, which becomes the newest. The caller owns the returned old value.
func (t *table) replace(bucket uint64, value abi.Any) (old abi.Any) {
	it := t.at(bucket)
	old, it.Value = it.Value, value
	t.unlink(bucket)
	t.pushBack(bucket)
	return old
}
