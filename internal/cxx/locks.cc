#include "locks.h"

#include <new>

#include "core/fork.h"

namespace tvm {
namespace ffi {

Locks& locks() {
  static Locks* locks = new Locks;
  return *locks;
}

namespace {

void BeforeFork() {
  locks().changing.lock();
  locks().list.lock();
  locks().functions.lock();
}

void InParent() {
  locks().functions.unlock();
  locks().list.unlock();
  locks().changing.unlock();
}

void InChild() { new (&locks()) Locks; }

__attribute__((constructor)) void WatchFork() {
  static SsForkHandlers handlers = {BeforeFork, InParent, InChild, nullptr};
  ss_add_fork_handlers(&handlers);
}

}  // namespace
}  // namespace ffi
}  // namespace tvm
