// The C++ classes whose objects the operations use.
#ifndef BENCH_ABI_CLASSES_H_
#define BENCH_ABI_CLASSES_H_

#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

namespace bench {

class LeafObj : public tvm::ffi::Object {
 public:
  int64_t value = 0;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bench.Leaf", LeafObj, tvm::ffi::Object);
};

class PairObj : public tvm::ffi::Object {
 public:
  int64_t number = 0;
  tvm::ffi::Any left;
  tvm::ffi::Any right;
  static constexpr bool _type_mutable = true;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bench.Pair", PairObj, tvm::ffi::Object);
};

class Pair : public tvm::ffi::ObjectRef {
 public:
  Pair(int64_t number, tvm::ffi::Any left, tvm::ffi::Any right);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Pair, tvm::ffi::ObjectRef, PairObj);
};

// A full binary tree with that many levels.
Pair Tree(int levels);
// A linked list of Pairs, linked through `right`.
Pair Chain(int length);

}  // namespace bench

#endif  // BENCH_ABI_CLASSES_H_
