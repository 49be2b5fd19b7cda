// A C++ program of the published headers alone, run on this project's library and on the stock one. All checks must
// pass on both.
// Requirement: E1
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
