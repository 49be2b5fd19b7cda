// The hash of type keys on macOS: see name_table.c.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

// Never throws. The declaration is that of name_table.h, which is C.
extern "C" uint64_t ss_name_hash(const char* data, size_t size) {
  return std::hash<std::string_view>()(std::string_view(data, size));
}
