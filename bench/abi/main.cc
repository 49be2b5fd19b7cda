// Times operations on request, so that two processes with different libraries can be timed in turn; table.py runs it.
//
// Prints one line per operation, "<kind> <name>", then an empty line. For each line with the number of an operation on
// standard input it runs the operation for a few milliseconds and prints the nanoseconds per step. The line "drop"
// frees the objects of the last operation. With the arguments NAME TIMES it runs one operation, for a profiler.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench.h"

namespace bench {

std::vector<Operation>& Operations() {
  static std::vector<Operation> all;
  return all;
}

static double Nanoseconds(const Body& body, int64_t n) {
  auto start = std::chrono::steady_clock::now();
  body(n);
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

// The number of steps in a sample: few enough that the scheduler rarely interrupts it.
static int64_t Calibrate(const Body& body) {
  const double sample = 1.5e6;
  int64_t n = 1;
  for (;;) {
    double took = Nanoseconds(body, n);
    if (took >= sample) return n;
    n = took < sample / 20 ? n * 10 : static_cast<int64_t>(static_cast<double>(n) * sample / took) + 1;
  }
}

static int Serve() {
  static const char* const kinds[] = {"plane", "call", "bulk"};
  // Static initializers list the operations in link order. Sort them by kind.
  std::stable_sort(Operations().begin(), Operations().end(),
                   [](const Operation& a, const Operation& b) { return a.kind < b.kind; });
  for (const Operation& op : Operations()) printf("%s %s\n", kinds[static_cast<int>(op.kind)], op.name.c_str());
  printf("\n");
  fflush(stdout);
  char line[64];
  long made = -1;
  Body body;
  int64_t n = 0;
  while (fgets(line, sizeof(line), stdin) != nullptr) {
    if (strncmp(line, "drop", 4) == 0) {
      body = nullptr;
      made = -1;
      continue;
    }
    long wanted = strtol(line, nullptr, 10);
    if (wanted < 0 || static_cast<size_t>(wanted) >= Operations().size()) return 1;
    if (wanted != made) {
      body = nullptr;
      body = Operations()[wanted].make();
      made = wanted;
      n = Calibrate(body);
    }
    printf("%.3f\n", Nanoseconds(body, n) / static_cast<double>(n));
    fflush(stdout);
  }
  return 0;
}

// Runs one operation a number of times, for a profiler.
static int RunOne(const char* name, const char* times) {
  for (const Operation& op : Operations()) {
    if (op.name != name) continue;
    Body body = op.make();
    body(strtoll(times, nullptr, 10));
    return 0;
  }
  fprintf(stderr, "no operation is called \"%s\"\n", name);
  return 1;
}

}  // namespace bench

int main(int argc, char** argv) {
  try {
    return argc == 3 ? bench::RunOne(argv[1], argv[2]) : bench::Serve();
  } catch (const std::exception& error) {
    fprintf(stderr, "bench: %s\n", error.what());
    return 1;
  }
}
