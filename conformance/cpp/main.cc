// Runs all registered cases, or those whose "area" or "area.name" is an argument.
// Requirement: E1
#include <dlfcn.h>
#include <tvm/ffi/c_api.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"

namespace conformance {

static Case* first = nullptr;
static int passed = 0;
static int failed = 0;
static const Case* current = nullptr;

void Register(Case* c) {
  c->next = first;
  first = c;
}

void Passed() { passed++; }

void Failed(const char* file, int line, const std::string& what) {
  failed++;
  std::fprintf(stderr, "  FAIL %s.%s\n    %s:%d: %s\n", current->area, current->name, file, line, what.c_str());
}

// The numbers of live objects by type index, if the library counts them.
class LiveObjects {
 public:
  LiveObjects() {
    live_ = reinterpret_cast<int64_t (*)(int32_t)>(dlsym(RTLD_DEFAULT, "SelfsameLiveObjects"));
    end_ = reinterpret_cast<int32_t (*)()>(dlsym(RTLD_DEFAULT, "SelfsameTypeIndexEnd"));
  }
  bool Counts() const { return live_ != nullptr && end_ != nullptr; }
  std::vector<int64_t> Take() const {
    std::vector<int64_t> counts;
    if (!Counts()) return counts;
    for (int32_t i = 0; i < end_(); i++) counts.push_back(live_(i));
    return counts;
  }

 private:
  int64_t (*live_)(int32_t);
  int32_t (*end_)();
};

static void CompareCounts(const std::vector<int64_t>& before, const std::vector<int64_t>& after) {
  for (size_t i = 0; i < after.size(); i++) {
    int64_t had = i < before.size() ? before[i] : 0;
    if (after[i] == had) continue;
    const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(static_cast<int32_t>(i));
    Failed(__FILE__, __LINE__,
           "live objects of " + std::string(info->type_key.data, info->type_key.size) + " went from " +
               std::to_string(had) + " to " + std::to_string(after[i]));
  }
}

static void RunCase(const Case* c, const LiveObjects& live) {
  current = c;
  std::vector<int64_t> before = live.Take();
  try {
    c->run();
  } catch (const tvm::ffi::Error& e) {
    Failed(__FILE__, __LINE__, "escaped: " + e.kind() + ": " + e.message());
  } catch (const std::exception& e) {
    Failed(__FILE__, __LINE__, std::string("escaped: ") + e.what());
  }
  if (!c->keeps) CompareCounts(before, live.Take());
}

static bool Wanted(const Case* c, int argc, char** argv) {
  if (argc < 2) return true;
  std::string full = std::string(c->area) + "." + c->name;
  for (int i = 1; i < argc; i++) {
    if (full == argv[i] || std::string(c->area) == argv[i]) return true;
  }
  return false;
}

static int Main(int argc, char** argv) {
  std::vector<const Case*> cases;
  for (const Case* c = first; c != nullptr; c = c->next) {
    if (Wanted(c, argc, argv)) cases.push_back(c);
  }
  std::sort(cases.begin(), cases.end(), [](const Case* a, const Case* b) {
    int by_area = std::strcmp(a->area, b->area);
    return by_area != 0 ? by_area < 0 : std::strcmp(a->name, b->name) < 0;
  });
  LiveObjects live;
  for (const Case* c : cases) RunCase(c, live);
  TVMFFIVersion version;
  TVMFFIGetVersion(&version);
  std::printf("C++: %zu cases on %s (ABI %u.%u.%u)\n", cases.size(), live.Counts() ? "libselfsame" : "another library",
              version.major, version.minor, version.patch);
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace conformance

int main(int argc, char** argv) { return conformance::Main(argc, argv); }
