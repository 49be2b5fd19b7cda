// Native code that owns objects outside of Python: variables, weak references, threads. Included by extension.cc.
#ifndef SELFSAME_TESTS_OWNERS_H_
#define SELFSAME_TESTS_OWNERS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "classes.h"

namespace sst {

// Values that native code owns, in the order of sst.keep.
inline std::mutex kept_lock;
inline std::vector<ffi::Any> kept;

// Runs the work on a thread that nobody joins. Not std::thread::detach(): pthread_detach of glibc 2.36 still reads the
// thread's descriptor after the thread may have ended and unmapped it.
inline void RunDetached(std::function<void()> work) {
  auto* box = new std::function<void()>(std::move(work));
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  int error = pthread_create(
      &thread, &attributes,
      [](void* given) -> void* {
        auto* work = static_cast<std::function<void()>*>(given);
        (*work)();
        delete work;
        return nullptr;
      },
      box);
  pthread_attr_destroy(&attributes);
  if (error == 0) return;
  delete box;
  TVM_FFI_THROW(RuntimeError) << "pthread_create failed with " << error;
}

// A native weak reference, made with the ABI's counts.
class Weak {
 public:
  void Set(TVMFFIObject* object) {
    Clear();
    object_ = object;
    __atomic_fetch_add(&object->combined_ref_count, uint64_t{1} << 32, __ATOMIC_RELAXED);
  }
  ffi::Any Promote() {
    if (object_ == nullptr) return nullptr;
    uint64_t old = __atomic_load_n(&object_->combined_ref_count, __ATOMIC_RELAXED);
    while ((old & 0xFFFFFFFFu) != 0) {
      if (__atomic_compare_exchange_n(&object_->combined_ref_count, &old, old + 1, true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED)) {
        TVMFFIAny any = {};
        any.type_index = object_->type_index;
        any.v_obj = object_;
        return ffi::details::AnyUnsafe::MoveTVMFFIAnyToAny(&any);
      }
    }
    return nullptr;
  }
  void Clear() {
    if (object_ == nullptr) return;
    uint64_t one = uint64_t{1} << 32;
    if (__atomic_fetch_sub(&object_->combined_ref_count, one, __ATOMIC_ACQ_REL) == one) {
      object_->deleter(object_, kTVMFFIObjectDeleterFlagBitMaskWeak);
    }
    object_ = nullptr;
  }

 private:
  TVMFFIObject* object_ = nullptr;
};
inline Weak weak;

inline std::atomic<bool> churning{false};
inline std::thread churner;

// An object of a new type, for which there is no Python class yet.
inline ffi::ObjectRef MakeClassless(const ffi::String& key) {
  TVMFFIByteArray bytes{key.data(), key.size()};
  auto object = ffi::make_object<ClasslessObj>();
  ffi::details::ObjectUnsafe::GetHeader(object.get())->type_index =
      TVMFFITypeGetOrAllocIndex(&bytes, -1, 1, 0, 1, kTVMFFIObject);
  return ffi::ObjectRef(std::move(object));
}

// A FarObj that owns `object` and ends where its memory page ends: the next page cannot be read. Its memory is not
// freed.
inline ffi::ObjectRef MakeLastOfPage(ffi::ObjectRef object) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  char* pages = static_cast<char*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + page, page, PROT_NONE);
  auto* far = new (pages + page - sizeof(FarObj)) FarObj;
  far->x = std::move(object);
  TVMFFIObject* header = ffi::details::ObjectUnsafe::GetHeader(far);
  header->combined_ref_count = (uint64_t{1} << 32) + 1;
  header->type_index = FarObj::RuntimeTypeIndex();
  header->deleter = [](void* self, int flags) {
    if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) static_cast<FarObj*>(static_cast<ffi::Object*>(self))->~FarObj();
  };
  return ffi::ObjectRef(ffi::details::ObjectUnsafe::ObjectPtrFromOwned<ffi::Object>(header));
}

inline void RegisterOwners() {
  tvm::ffi::reflection::GlobalDef()
      .def("sst.last_of_page",
           [](ffi::ObjectRef object) {
             ffi::ObjectRef far = MakeLastOfPage(std::move(object));
             return ffi::Array<ffi::ObjectRef>{far, far};
           })
      .def("sst.keep",
           [](ffi::Any value) {
             std::lock_guard<std::mutex> guard(kept_lock);
             kept.push_back(std::move(value));
           })
      .def("sst.kept", [](int64_t i) -> ffi::Any { return kept.at(static_cast<size_t>(i)); })
      .def("sst.keep_classless", [](ffi::String key) { kept.push_back(MakeClassless(key)); })
      .def("sst.apply_kept", [](ffi::Function f) -> ffi::Any { return f(kept.at(0)); })
      .def("sst.kept_use_count", []() { return kept.at(0).cast<ffi::ObjectRef>().use_count() - 1; })
      .def("sst.release",
           []() {
             std::vector<ffi::Any> dying;
             {
               std::lock_guard<std::mutex> guard(kept_lock);
               dying.swap(kept);
             }
           })
      .def("sst.release_on_thread",
           []() {
             std::vector<ffi::Any> dying;
             dying.swap(kept);
             std::thread([&dying]() { dying.clear(); }).join();
           })
      .def("sst.release_on_thread_then_weak",
           []() {
             std::vector<ffi::Any> dying;
             dying.swap(kept);
             std::thread([&dying]() { dying.clear(); }).join();
             weak.Clear();
           })
      .def("sst.weak_set",
           [](ffi::ObjectRef object) {
             weak.Set(const_cast<TVMFFIObject*>(
                 reinterpret_cast<const TVMFFIObject*>(ffi::details::ObjectUnsafe::GetHeader(object.get()))));
           })
      .def("sst.weak_keep", []() { kept.push_back(weak.Promote()); })
      .def("sst.weak_get", []() { return weak.Promote(); })
      .def("sst.weak_clear", []() { weak.Clear(); })
      // `threads` threads take and drop references to one object `rounds` times; returns when they have ended.
      .def("sst.hammer",
           [](ffi::Any value, int64_t threads, int64_t rounds) {
             std::vector<std::thread> pool;
             for (int64_t t = 0; t < threads; t++) {
               pool.emplace_back([value, rounds]() {
                 for (int64_t r = 0; r < rounds; r++) ffi::Any copy = value;
               });
             }
             for (auto& thread : pool) thread.join();
           })
      // Replaces the object in x of `plain` `rounds` times, with the GIL released.
      .def("sst.churn",
           [](const PlainObj* plain, int64_t rounds) {
             auto* object = const_cast<PlainObj*>(plain);
             for (int64_t r = 0; r < rounds; r++) {
               TVMFFIAny any = ffi::details::AnyUnsafe::MoveAnyToTVMFFIAny(ffi::Any(Leaf(r)));
               std::swap(object->x, any.v_obj);
               if (any.v_obj != nullptr) TVMFFIObjectDecRef(any.v_obj);
             }
           })
      // Starts a thread that owns the object and stores new Lists, which contain the object itself, in its x.
      .def("sst.churn_start",
           [](ffi::Any value) {
             churning = true;
             churner = std::thread([value = std::move(value)]() {
               auto* object = const_cast<PlainObj*>(value.cast<const PlainObj*>());
               for (int64_t r = 0; churning; r++) {
                 ffi::List<ffi::Any> list;
                 for (int64_t k = 0; k < r % 9; k++) list.push_back(k % 2 == 0 ? value : ffi::Any(Leaf(k)));
                 TVMFFIAny any = ffi::details::AnyUnsafe::MoveAnyToTVMFFIAny(ffi::Any(std::move(list)));
                 any.v_obj = __atomic_exchange_n(&object->x, any.v_obj, __ATOMIC_ACQ_REL);
                 if (any.v_obj != nullptr) TVMFFIObjectDecRef(any.v_obj);
               }
               TVMFFIObject* left = __atomic_exchange_n(&object->x, nullptr, __ATOMIC_ACQ_REL);
               if (left != nullptr) TVMFFIObjectDecRef(left);
             });
           })
      .def("sst.churn_stop",
           []() {
             churning = false;
             churner.join();
             churner = std::thread();
           })
      // Starts a thread that owns the object for some microseconds and then clears its x.
      .def("sst.break_later",
           [](ffi::Any value, int64_t microseconds) {
             RunDetached([value = std::move(value), microseconds]() {
               std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
               auto* object = const_cast<PlainObj*>(value.cast<const PlainObj*>());
               TVMFFIObject* x = __atomic_exchange_n(&object->x, nullptr, __ATOMIC_ACQ_REL);
               if (x != nullptr) TVMFFIObjectDecRef(x);
             });
           })
      // Starts a thread that owns the value for 200 microseconds and then releases it.
      .def("sst.drop_later", [](ffi::Any value) {
        RunDetached([value = std::move(value)]() mutable {
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          value = nullptr;
        });
      });
}

}  // namespace sst

#endif  // SELFSAME_TESTS_OWNERS_H_
