// The locks of modules, which are taken before fork and made new in a forked child.
#ifndef SELFSAME_INTERNAL_CXX_LOCKS_H_
#define SELFSAME_INTERNAL_CXX_LOCKS_H_

#include <mutex>

namespace tvm {
namespace ffi {

struct Locks {
  std::mutex changing;   // held from the check for cycles to the store of the new list; calls only the allocator
  std::mutex list;       // guards every module's pointer to its list; nothing is called under it
  std::mutex functions;  // guards the functions of all library modules; calls only the allocator
};

// Never destroyed: threads may outlive static destruction.
Locks& locks();

}  // namespace ffi
}  // namespace tvm

#endif  // SELFSAME_INTERNAL_CXX_LOCKS_H_
