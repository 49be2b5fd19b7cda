// Equality and hash of values without parts: see structural_leaf.h.
#include "structural_leaf.h"

#include <math.h>
#include <string.h>

#include "scalars/any.h"
#include "collections/map_key.h"
#include "core/raise.h"
#include "core/type_table.h"

static int is_string(int32_t type_index) { return type_index == kTVMFFISmallStr || type_index == kTVMFFIStr; }

int ss_same_text(const TVMFFIAny* a, const TVMFFIAny* b) {
  TVMFFIByteArray x, y;
  return ss_any_bytes(a, &x) && ss_any_bytes(b, &y) && is_string(a->type_index) == is_string(b->type_index) &&
         x.size == y.size && (x.size == 0 || memcmp(x.data, y.data, x.size) == 0);
}

int ss_same_shape(const TVMFFIObject* a, const TVMFFIObject* b) {
  const TVMFFIShapeCell *x = (const TVMFFIShapeCell*)(a + 1), *y = (const TVMFFIShapeCell*)(b + 1);
  return x->size == y->size && (x->size == 0 || memcmp(x->data, y->data, x->size * sizeof(int64_t)) == 0);
}

// The words of a BigInt as bytes.
static TVMFFIByteArray big_words(const TVMFFIObject* obj) {
  const TVMFFIBigIntCell* cell = (const TVMFFIBigIntCell*)(obj + 1);
  return (TVMFFIByteArray){(const char*)(cell + 1), cell->size * sizeof(int64_t)};
}

int ss_same_bigint(const TVMFFIObject* a, const TVMFFIObject* b) {
  TVMFFIByteArray x = big_words(a), y = big_words(b);
  return x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
}

// ---- tensors -----------------------------------------------------------------------------------------------

static const DLTensor* tensor_of(const TVMFFIObject* obj) { return (const DLTensor*)(obj + 1); }

// Whether the elements are stored in row-major order without gaps.
static int is_contiguous(const DLTensor* t) {
  if (t->strides == NULL) return 1;
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] == 0) return 1;
  }
  int64_t expected = 1;
  for (int32_t i = t->ndim - 1; i >= 0; i--) {
    if (t->shape[i] == 1) continue;  // the stride is never used
    if (t->strides[i] != expected) return 0;
    expected *= t->shape[i];
  }
  return 1;
}

// A view of the elements. `name` and `verb` say in the errors which operand could not be read and for what.
static int content_of(const DLTensor* t, const char* name, const char* verb, TVMFFIByteArray* out) {
  if (t->device.device_type != kDLCPU) {
    return ss_raise("InternalError",
                    "Check failed: %s.device().device_type == kDLCPU (%d vs. %d) : can only %s CPU tensor", name,
                    (int)t->device.device_type, (int)kDLCPU, verb);
  }
  if (!is_contiguous(t)) {
    return ss_raise("InternalError", "Check failed: (%s.IsContiguous()) is false: Can only %s contiguous tensor", name,
                    verb);
  }
  uint64_t bits = (uint64_t)t->dtype.bits * t->dtype.lanes;
  for (int32_t i = 0; i < t->ndim; i++) bits *= (uint64_t)t->shape[i];
  *out = (TVMFFIByteArray){NULL, 0};
  if (bits != 0 && t->data != NULL) *out = (TVMFFIByteArray){(const char*)t->data + t->byte_offset, (bits + 7) / 8};
  return 0;
}

int ss_same_tensor(const TVMFFIObject* a, const TVMFFIObject* b, int skip_content, int* same) {
  *same = a == b;
  const DLTensor *x = tensor_of(a), *y = tensor_of(b);
  if (a == b || x->ndim != y->ndim || memcmp(&x->dtype, &y->dtype, sizeof(x->dtype)) != 0) return 0;
  for (int32_t i = 0; i < x->ndim; i++) {
    if (x->shape[i] != y->shape[i]) return 0;
  }
  *same = 1;
  if (skip_content) return 0;
  TVMFFIByteArray p, q;
  if (content_of(x, "lhs", "compare", &p) != 0 || content_of(y, "rhs", "compare", &q) != 0) return -1;
  *same = p.size == q.size && (p.size == 0 || memcmp(p.data, q.data, p.size) == 0);
  return 0;
}

// ---- hashes ------------------------------------------------------------------------------------------------

int ss_hash_plain(const TVMFFIAny* value, uint64_t* hash) {
  const uint64_t canonical_nan = UINT64_C(0x7ff8000000000000);  // stands for every NaN
  TVMFFIByteArray text;
  int32_t type = value->type_index;
  switch (type) {
    case kTVMFFIFloat:
      *hash = ss_hash_combine((uint64_t)type, isnan(value->v_float64) ? canonical_nan : value->v_uint64);
      return 1;
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      ss_any_bytes(value, &text);
      *hash = ss_hash_combine(kTVMFFIStr, ss_text_hash(&text));
      return 1;
    case kTVMFFISmallBytes:
    case kTVMFFIBytes:
      ss_any_bytes(value, &text);
      *hash = ss_hash_combine(kTVMFFIBytes, ss_text_hash(&text));
      return 1;
    case kTVMFFIBigInt:
      text = big_words(value->v_obj);
      *hash = ss_hash_combine(kTVMFFIBigInt, ss_text_hash(&text));
      return 1;
    default:
      if (type >= kTVMFFIStaticObjectBegin) return 0;
      *hash = ss_hash_combine((uint64_t)(int64_t)type, value->v_uint64);
      return 1;
  }
}

static uint64_t hash_dims(int32_t type_index, const int64_t* dims, size_t n) {
  uint64_t hash = ss_hash_combine(ss_type_at(type_index)->info.type_key_hash, n);
  for (size_t i = 0; i < n; i++) hash = ss_hash_combine(hash, (uint64_t)dims[i]);
  return hash;
}

uint64_t ss_hash_shape(const TVMFFIObject* obj) {
  const TVMFFIShapeCell* cell = (const TVMFFIShapeCell*)(obj + 1);
  return hash_dims(obj->type_index, cell->data, cell->size);
}

int ss_hash_tensor(const TVMFFIObject* obj, int skip_content, uint64_t* hash) {
  const DLTensor* t = tensor_of(obj);
  TVMFFIAny dtype = {.type_index = kTVMFFIDataType, .v_uint64 = 0};
  dtype.v_dtype = t->dtype;
  *hash = ss_hash_combine(hash_dims(kTVMFFITensor, t->shape, (size_t)t->ndim), dtype.v_uint64);
  if (skip_content) return 0;
  TVMFFIByteArray content;
  if (content_of(t, "tensor", "hash", &content) != 0) return -1;
  *hash = ss_hash_combine(*hash, ss_text_hash(&content));
  return 0;
}
