// The version of the ABI that the library reports is that of the headers.
#include <tvm/ffi/c_api.h>

#include "check.h"

TEST(version, of_the_headers) {
  TVMFFIVersion version{99, 99, 99};
  TVMFFIGetVersion(&version);
  CHECK_EQ(version.major, static_cast<uint32_t>(TVM_FFI_VERSION_MAJOR));
  CHECK_EQ(version.minor, static_cast<uint32_t>(TVM_FFI_VERSION_MINOR));
  CHECK_EQ(version.patch, static_cast<uint32_t>(TVM_FFI_VERSION_PATCH));
}
