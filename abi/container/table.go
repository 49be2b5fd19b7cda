package container

import "unsafe"

// table is the dense layout, loaded from a cell or on its way into one. Its slots lie in blocks of 16: a block is 16
// bytes of slot states, then 16 items.
//
// The entries whose home is one slot form a chain that begins there. A slot's state is 0x80 for a member that is not
// the chain's head, plus the number of the jump to the next member; 0xff is an empty slot (in C++ code, 0xfe one that
// is just being vacated). Beside that, all entries are linked in order of insertion.
type table struct {
	data       unsafe.Pointer
	slots      uint64 // a power of two, or 0 for a shell whose memory was moved out
	shift      uint32
	size       uint64
	head, tail uint64
}

type item struct {
	Pair
	prev, next uint64
}

const (
	blockSlots = 16
	itemSize   = unsafe.Sizeof(item{})
	blockSize  = blockSlots + blockSlots*itemSize

	slotEmpty = 0xff
	memberBit = 0x80 // not the head of its chain
	jumpMask  = 0x7f

	hashFactor = 11400714819323198485
)

// jumps are the distances to the next member of a chain. The last two stand for no jump at all: they are what the jump
// bits of an empty and a protected slot say.
var jumps = [128]uint64{
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	83: 8515, 19110, 42778, 96141, 216153, 486591, 1092981, 2458653, 5532801, 12442566, 27993903, 62983476, 141717030,
	318844378, 717352503, 1614057336, 3631522476, 8170957530, 18384510628, 41364789378, 93070452520, 209408356380,
	471168559170, 1060128894105, 2385289465695, 5366898840628, 12075518705635, 27169915244790, 61132312065111,
	137547689707000, 309482283181501, 696335127828753, 1566753995631385, 3525196511162271, 7931691992677701,
	17846306936293605, 40154190677507445, 90346928918121501, 203280589587557251, 457381325854679626,
	1029107982097042876, 2315492959180353330, 5209859154120846435,
}

// lastJump is the number of the longest jump.
const lastJump = 125

func init() {
	for j := uint64(16); j < 83; j++ { // triangular numbers
		jumps[j] = (j - 10) * (j - 9) / 2
	}
}

func (t *table) state(slot uint64) *uint8 {
	return (*uint8)(unsafe.Add(t.data, uintptr(slot/blockSlots)*blockSize+uintptr(slot%blockSlots)))
}

func (t *table) item(slot uint64) *item {
	return (*item)(unsafe.Add(t.data, uintptr(slot/blockSlots)*blockSize+blockSlots+uintptr(slot%blockSlots)*itemSize))
}

// home is where the chain of a hash begins.
func (t *table) home(hash uint64) uint64 { return hash * hashFactor >> t.shift }

// target is where a jump leads.
func (t *table) target(slot uint64, jump uint8) uint64 { return (slot + jumps[jump]) & (t.slots - 1) }

// follow is the next member of a slot's chain.
func (t *table) follow(slot uint64) (next uint64, ok bool) {
	jump := *t.state(slot) & jumpMask
	if jumps[jump] == 0 {
		return 0, false
	}
	return t.target(slot, jump), true
}

func (t *table) setJump(slot uint64, jump uint8) {
	state := t.state(slot)
	*state = *state&memberBit | jump
}

// isFull is the ABI's limit on the load: 99 percent, in floating point.
func (t *table) isFull() bool { return float64(t.size+1) > float64(t.slots)*0.99 }

// tableSize gives the slots and shift for a number of entries.
func tableSize(entries uint64) (slots uint64, shift uint32) {
	slots, shift = 1, 64
	for c := entries; c != 0; c >>= 1 {
		slots <<= 1
		shift--
	}
	if slots < 2*entries {
		slots <<= 1
		shift--
	}
	return slots, shift
}

// bufferSize is the memory that a number of slots takes.
func bufferSize(slots uint64) uintptr { return uintptr((slots+blockSlots-1)/blockSlots) * blockSize }

// ---- order of insertion --------------------------------------------------------------------------------

func (t *table) pushBack(slot uint64) {
	it := t.item(slot)
	it.prev, it.next = t.tail, NoSlot
	if t.tail != NoSlot {
		t.item(t.tail).next = slot
	}
	if t.head == NoSlot {
		t.head = slot
	}
	t.tail = slot
}

func (t *table) unlink(slot uint64) {
	it := t.item(slot)
	t.join(it.prev, it.next)
}

// join makes two slots neighbours.
func (t *table) join(before, after uint64) {
	if before == NoSlot {
		t.head = after
	} else {
		t.item(before).next = after
	}
	if after == NoSlot {
		t.tail = before
	} else {
		t.item(after).prev = before
	}
}

// move takes an entry to a free slot, where it keeps its place in the order.
func (t *table) move(from, to uint64) {
	it := t.item(to)
	*it = *t.item(from)
	t.join(it.prev, to)
	t.join(to, it.next)
}
