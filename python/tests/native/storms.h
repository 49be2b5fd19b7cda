// Native threads that drop the last references to Python objects while other threads hold locks. Included by
// extension.cc.
#ifndef SELFSAME_TESTS_STORMS_H_
#define SELFSAME_TESTS_STORMS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/reflection/registry.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace storms {

namespace ffi = tvm::ffi;

inline std::vector<ffi::Any> store;
inline std::atomic<int64_t> bumps{0};
inline std::timed_mutex contended;

// Splits the store over `threads` native threads, which drop their parts at the same time, and joins them.
inline void Storm(int64_t threads) {
  std::vector<ffi::Any> dying;
  dying.swap(store);
  std::vector<std::vector<ffi::Any>> parts(static_cast<size_t>(threads));
  for (size_t i = 0; i < dying.size(); i++) parts[i % parts.size()].push_back(std::move(dying[i]));
  std::atomic<int64_t> ready{0};
  std::vector<std::thread> pool;
  for (auto& part : parts) {
    pool.emplace_back([&part, &ready, threads]() {
      ready++;
      while (ready < threads) std::this_thread::yield();
      part.clear();
    });
  }
  for (auto& thread : pool) thread.join();
}

inline int64_t WaitForBumps(int64_t wanted, double seconds) {
  auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (bumps < wanted && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return bumps;
}

// A native thread drops the store while it holds a lock that the caller waits for. Whether the caller got the lock.
inline bool ReleaseUnderLock(double seconds) {
  std::atomic<bool> locked{false};
  std::thread thread([&locked]() {
    std::lock_guard<std::timed_mutex> guard(contended);
    locked = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    store.clear();
  });
  while (!locked) std::this_thread::yield();
  bool got = contended.try_lock_for(std::chrono::duration<double>(seconds));
  if (got) contended.unlock();
  if (got) {
    thread.join();
  } else {
    thread.detach();
  }
  return got;
}

inline void Register() {
  tvm::ffi::reflection::GlobalDef()
      .def("sst.storm_add", [](ffi::Any value) { store.push_back(std::move(value)); })
      .def("sst.storm", [](int64_t threads) { Storm(threads); })
      .def("sst.storm_and_wait",
           [](int64_t threads, int64_t wanted, double seconds) {
             Storm(threads);
             return WaitForBumps(wanted, seconds);
           })
      .def("sst.release_under_lock", [](double seconds) { return ReleaseUnderLock(seconds); })
      .def("sst.bump", []() { bumps++; })
      .def("sst.take_bumps", []() { return bumps.exchange(0); });
}

}  // namespace storms

#endif  // SELFSAME_TESTS_STORMS_H_
