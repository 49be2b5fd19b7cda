// TVMFFIHandleInitOnce and its counterpart.
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <atomic>
#include <thread>
#include <vector>

#include "check.h"

using namespace tvm::ffi;

namespace {
std::atomic<int> made{0};
int thing;
int Make(void** result) {
  made++;
  *result = &thing;
  return 0;
}
int gone = 0;
int Destroy(void* handle) {
  if (handle != &thing) return -1;
  gone++;
  return 0;
}
}  // namespace

TEST(init_once, one_thread) {
  made = 0;
  gone = 0;
  void* handle = nullptr;
  CHECK_EQ(TVMFFIHandleInitOnce(&handle, Make), 0);
  CHECK_EQ(TVMFFIHandleInitOnce(&handle, Make), 0);
  CHECK(handle == &thing);
  CHECK_EQ(made.load(), 1);
  CHECK_EQ(TVMFFIHandleDeinitOnce(&handle, Destroy), 0);
  CHECK_EQ(TVMFFIHandleDeinitOnce(&handle, Destroy), 0);
  CHECK_EQ(gone, 1);
  CHECK(handle == nullptr);
}

TEST(init_once, many_threads) {
  made = 0;
  void* handle = nullptr;
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; i++) {
    threads.emplace_back([&] {
      if (TVMFFIHandleInitOnce(&handle, Make) == 0 && handle == &thing) right++;
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK_EQ(made.load(), 1);
  CHECK_EQ(right.load(), 8);
}

TEST(init_once, failures) {
  void* handle = nullptr;
  CHECK_EQ(TVMFFIHandleInitOnce(&handle, [](void**) { return 7; }), 7);
  CHECK(handle == nullptr);
  CHECK_EQ(TVMFFIHandleInitOnce(&handle,
                                [](void** result) {
                                  *result = nullptr;
                                  return 0;
                                }),
           -1);
  Error e = detail::MoveFromSafeCallRaised();
  CHECK_EQ(e.kind(), std::string("RuntimeError"));
  CHECK_EQ(e.message(), std::string("init_func must return a non-NULL handle"));
  CHECK_EQ(TVMFFIHandleInitOnce(&handle, Make), 0);
  CHECK_EQ(TVMFFIHandleDeinitOnce(&handle, [](void*) { return 5; }), 5);
  CHECK(handle == nullptr);
}
