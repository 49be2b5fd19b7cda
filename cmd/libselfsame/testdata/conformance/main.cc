// Row E1 for the rows of the object system: a C++ program made of nothing but the published headers, run on this
// project's library and on the stock one. Whatever it finds must be so on both.
#include "checks.h"

int failures = 0;

int main() {
  Types();
  ChildSlots();
  Reflection();
  Attributes();
  AutoInit();
  Functions();
  ExternalFunctions();
  Errors();
  Values();
  Arrays();
  Counts();
  InitOnce();
  TVMFFIVersion version;
  TVMFFIGetVersion(&version);
  CHECK(version.major == 0 && version.minor == 1 && version.patch >= 15);
  std::printf("%d failures\n", failures);
  return failures != 0;
}
