// The C ABI's reference count functions. Code inside the library uses selfsame/internal/refcount.h.
#include "chains.h"
#include "raise.h"

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  if (!ss_check_ptr(obj, "TVMFFIObjectIncRef", "obj")) return -1;
  ss_incref(obj);
  return 0;
}

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  ss_release(obj);
  return 0;
}
