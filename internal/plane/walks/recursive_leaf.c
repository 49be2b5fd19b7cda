// Values without parts, as recursive comparison and hash see them: see recursive_leaf.h.
#include "recursive_leaf.h"

#include <math.h>
#include <string.h>

#include "scalars/any.h"
#include "collections/map_key.h"
#include "structural_leaf.h"

static int sign_of(int64_t a, int64_t b) { return (a > b) - (a < b); }

int ss_recursive_data_types(DLDataType a, DLDataType b) {
  if (a.code != b.code) return sign_of(a.code, b.code);
  return a.bits != b.bits ? sign_of(a.bits, b.bits) : sign_of(a.lanes, b.lanes);
}

int ss_recursive_devices(DLDevice a, DLDevice b) {
  return a.device_type != b.device_type ? sign_of((int64_t)a.device_type, (int64_t)b.device_type)
                                        : sign_of(a.device_id, b.device_id);
}

int ss_recursive_text(const TVMFFIAny* a, const TVMFFIAny* b) {
  TVMFFIByteArray x, y;
  ss_any_bytes(a, &x);
  ss_any_bytes(b, &y);
  size_t n = x.size < y.size ? x.size : y.size;
  int order = n == 0 ? 0 : memcmp(x.data, y.data, n);
  return order != 0 ? sign_of(order, 0) : (x.size > y.size) - (x.size < y.size);
}

int ss_recursive_shapes(const TVMFFIObject* a, const TVMFFIObject* b) {
  const TVMFFIShapeCell *x = (const TVMFFIShapeCell*)(a + 1), *y = (const TVMFFIShapeCell*)(b + 1);
  for (size_t i = 0; i < x->size && i < y->size; i++) {
    if (x->data[i] != y->data[i]) return sign_of(x->data[i], y->data[i]);
  }
  return (x->size > y->size) - (x->size < y->size);
}

// The words of an Int or BigInt, the least significant first.
static size_t words_of(const TVMFFIAny* value, const int64_t** words) {
  *words = &value->v_int64;
  if (value->type_index == kTVMFFIInt) return 1;
  const TVMFFIBigIntCell* cell = (const TVMFFIBigIntCell*)(value->v_obj + 1);
  *words = (const int64_t*)(cell + 1);
  return cell->size;
}

// Compares two numbers in two's complement that have as few words as possible.
int ss_recursive_integers(const TVMFFIAny* a, const TVMFFIAny* b) {
  const int64_t *x, *y;
  size_t n = words_of(a, &x), m = words_of(b, &y);
  if (n == 0 || m == 0) return (n > m) - (n < m);
  if (n > m) return x[n - 1] < 0 ? -1 : 1;  // the longer one is further from 0
  if (n < m) return y[m - 1] < 0 ? 1 : -1;
  if (x[n - 1] != y[n - 1]) return sign_of(x[n - 1], y[n - 1]);
  for (size_t i = n - 1; i-- > 0;) {
    if (x[i] != y[i]) return (uint64_t)x[i] < (uint64_t)y[i] ? -1 : 1;
  }
  return 0;
}

// ---- hashes ------------------------------------------------------------------------------------------------

static uint64_t hash_float(double value, uint64_t bits) {
  if (isnan(value)) return UINT64_C(0x7ff8000000000000);  // stands for every NaN
  return value == 0 ? 0 : bits;                           // -0.0 equals 0.0
}

uint64_t ss_recursive_hash_leaf(const TVMFFIAny* value) {
  uint64_t type = (uint64_t)(int64_t)value->type_index, hash;
  switch (value->type_index) {
    case kTVMFFINone:
      return ss_hash_combine(0, 0);
    case kTVMFFIBool:
      return ss_hash_combine(type, value->v_uint64 != 0);
    case kTVMFFIFloat:
      return ss_hash_combine(type, hash_float(value->v_float64, value->v_uint64));
    case kTVMFFIDataType:
      hash = ss_hash_combine(type, value->v_dtype.code);
      return ss_hash_combine(ss_hash_combine(hash, value->v_dtype.bits), value->v_dtype.lanes);
    case kTVMFFIDevice:
      hash = ss_hash_combine(type, (uint64_t)(int64_t)(int32_t)value->v_device.device_type);
      return ss_hash_combine(hash, (uint64_t)(int64_t)value->v_device.device_id);
    default:  // as structural hash
      ss_hash_plain(value, &hash);
      return hash;
  }
}
