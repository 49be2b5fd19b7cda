package abi

// Type indices: the kind of a value, or the class of an object.
const (
	IndexAny             int32 = -1 // annotation only, never the index of a value
	IndexNone            int32 = 0
	IndexInt             int32 = 1
	IndexBool            int32 = 2
	IndexFloat           int32 = 3
	IndexOpaquePtr       int32 = 4
	IndexDataType        int32 = 5
	IndexDevice          int32 = 6
	IndexDLTensorPtr     int32 = 7  // views only; not owned
	IndexRawStr          int32 = 8  // views only; NUL-terminated, not owned
	IndexByteArrayPtr    int32 = 9  // views only; *ByteArray, not owned
	IndexObjectRValueRef int32 = 10 // views only; address of a variable that owns a reference
	IndexSmallStr        int32 = 11
	IndexSmallBytes      int32 = 12
	IndexUnchanged       int32 = 13

	// Arguments that a caller lends to parameters which the metadata of the function lists under "lent": *LentValues, as
	// SELFSAME_LENT_ITEMS and SELFSAME_LENT_ENTRIES in selfsame.h.
	IndexLentItems   int32 = -66
	IndexLentEntries int32 = -67

	// The only argument of a call that stands for many: a *Batch, as SELFSAME_BATCH in selfsame.h.
	IndexBatch int32 = -68

	IndexStaticObjectBegin int32 = 64
	IndexObject            int32 = 64
	IndexStr               int32 = 65
	IndexBytes             int32 = 66
	IndexError             int32 = 67
	IndexFunction          int32 = 68
	IndexShape             int32 = 69
	IndexTensor            int32 = 70
	IndexArray             int32 = 71
	IndexMap               int32 = 72
	IndexModule            int32 = 73
	IndexOpaquePyObject    int32 = 74
	IndexList              int32 = 75
	IndexDict              int32 = 76
	IndexVisitInterrupt    int32 = 77
	IndexBigInt            int32 = 78
	IndexStaticObjectEnd   int32 = 79 // exclusive
	IndexDynObjectBegin    int32 = 128
)

// Flags a deleter is called with.
const (
	DeleterStrong int32 = 1 // run the destructor, keep the memory
	DeleterWeak   int32 = 2 // release the memory
	DeleterBoth   int32 = 3
)

// Modes of ErrorCell.UpdateBacktrace.
const (
	BacktraceReplace int32 = 0
	BacktraceAppend  int32 = 1
)

// Bits of FieldInfo.Flags and MethodInfo.Flags.
const (
	FlagWritable            int64 = 1 << 0
	FlagHasDefault          int64 = 1 << 1
	FlagIsStaticMethod      int64 = 1 << 2
	FlagSEqHashIgnore       int64 = 1 << 3
	FlagSEqHashDefPattern   int64 = 1 << 4
	FlagDefaultFromFactory  int64 = 1 << 5
	FlagReprOff             int64 = 1 << 6
	FlagCompareOff          int64 = 1 << 7
	FlagHashOff             int64 = 1 << 8
	FlagInitOff             int64 = 1 << 9
	FlagKwOnly              int64 = 1 << 10
	FlagSetterIsFunctionObj int64 = 1 << 11
	FlagSEqHashDefSimple    int64 = 1 << 12

	// FlagPlain is SELFSAME_FIELD_PLAIN: the getter only reads the field's storage (see selfsame.h).
	FlagPlain int64 = 1 << 48
)

// Values of TypeMetadata.StructuralEqHashKind.
const (
	SEqHashUnsupported    int32 = 0
	SEqHashTreeNode       int32 = 1
	SEqHashFreeVar        int32 = 2
	SEqHashDAGNode        int32 = 3
	SEqHashConstTreeNode  int32 = 4
	SEqHashUniqueInstance int32 = 5
)
