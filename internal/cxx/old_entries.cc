// C++ functions as releases before 0.1.14 exported them, for libraries built against those.
#include "builtin.h"

// macOS puts one more underscore before each name of C and C++.
#ifdef __APPLE__
#define SYMBOL(name) "__" name
#else
#define SYMBOL(name) "_" name
#endif

namespace tvm {
namespace ffi {
namespace json {

// Optional<int> of those releases: a std::optional<int> with a non-trivial copy constructor, so it is passed by
// address.
struct OldOptionalInt {
  OldOptionalInt(const OldOptionalInt& other) : value(other.value), there(other.there) {}
  int32_t value;
  bool there;
};

SS_ENTRY String OldStringify(const Any& value, OldOptionalInt indent) __asm__(
    SYMBOL("ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE"));

String OldStringify(const Any& value, OldOptionalInt indent) {
  static Builtin stringify("ffi.json.Stringify");
  TVMFFIAny spaces = {};
  if (indent.there) {
    spaces.type_index = kTVMFFIInt;
    spaces.v_int64 = indent.value;
  }
  return String(stringify({View(value), spaces}).Release());
}

}  // namespace json
}  // namespace ffi
}  // namespace tvm
