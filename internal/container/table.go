package container

import "unsafe"

// table is a dense map, loaded from a cell. Its buckets lie in blocks of 16: 16 control bytes, then
// 16 buckets.
//
// The entries with the same home bucket form a chain that begins there. A control byte is the number of the jump to the
// next bucket of the chain, plus 0x80 for a bucket that is not the first of its chain. 0xff is an empty bucket. C++
// code also has 0xfe, a bucket whose entry is being moved away. A doubly linked list holds all entries in order of
// insertion.
type table struct {
	data    unsafe.Pointer
	buckets uint64 // a power of two, or 0 when C++ moved the memory out
	shift   uint32
}

type hashBucket struct {
	Pair
	prev, next uint64
}

const (
	blockBuckets = 16
	bucketSize   = unsafe.Sizeof(hashBucket{})
	blockSize    = blockBuckets + blockBuckets*bucketSize

	controlEmpty  = 0xff
	controlMember = 0x80 // not the head of its chain
	controlJump   = 0x7f

	hashFactor = 11400714819323198485
)

// jumps are the distances to the next member of a chain. The last two stand for no jump at all: they are what the jump
// bits of an empty and a protected bucket say.
var jumps = [128]uint64{
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	83: 8515, 19110, 42778, 96141, 216153, 486591, 1092981, 2458653, 5532801, 12442566, 27993903, 62983476, 141717030,
	318844378, 717352503, 1614057336, 3631522476, 8170957530, 18384510628, 41364789378, 93070452520, 209408356380,
	471168559170, 1060128894105, 2385289465695, 5366898840628, 12075518705635, 27169915244790, 61132312065111,
	137547689707000, 309482283181501, 696335127828753, 1566753995631385, 3525196511162271, 7931691992677701,
	17846306936293605, 40154190677507445, 90346928918121501, 203280589587557251, 457381325854679626,
	1029107982097042876, 2315492959180353330, 5209859154120846435,
}

func init() {
	for j := uint64(16); j < 83; j++ { // triangular numbers
		jumps[j] = (j - 10) * (j - 9) / 2
	}
}

func (t *table) control(bucket uint64) *uint8 {
	return (*uint8)(unsafe.Add(t.data, uintptr(bucket/blockBuckets)*blockSize+uintptr(bucket%blockBuckets)))
}

func (t *table) at(bucket uint64) *hashBucket {
	return (*hashBucket)(unsafe.Add(t.data, uintptr(bucket/blockBuckets)*blockSize+blockBuckets+uintptr(bucket%blockBuckets)*bucketSize))
}

// home returns the bucket where the chain of a hash begins.
func (t *table) home(hash uint64) uint64 { return hash * hashFactor >> t.shift }

// target returns the bucket that a jump leads to.
func (t *table) target(bucket uint64, jump uint8) uint64 {
	return (bucket + jumps[jump]) & (t.buckets - 1)
}

// follow returns the next bucket of a chain.
func (t *table) follow(bucket uint64) (next uint64, ok bool) {
	jump := *t.control(bucket) & controlJump
	if jumps[jump] == 0 {
		return 0, false
	}
	return t.target(bucket, jump), true
}
