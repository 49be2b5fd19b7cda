// enum.h, reflection/enum_def.h: one object per member, which all languages share.
// Requirement: A14
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/enum_def.h>
#include <tvm/ffi/reflection/registry.h>

#include <string>

#include "check.h"

using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

class ColorObj : public EnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Color", ColorObj, EnumObj);
};

class RankObj : public IntEnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Rank", RankObj, IntEnumObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ColorObj>(refl::init(false));
  refl::ObjectDef<RankObj>(refl::init(false));
  refl::EnumDef<ColorObj>("red").set_attr("warm", true);
  refl::EnumDef<ColorObj>("blue").set_attr("warm", false);
  refl::EnumDef<RankObj>("low", 10);
  refl::EnumDef<RankObj>("high", 20);
}

EnumState State(int32_t type_index) { return refl::TypeAttrColumn("__ffi_enum__")[type_index].cast<EnumState>(); }

}  // namespace

TEST(enums, members) {
  Enum red = EnumObj::_GetByStrIndex<ColorObj>("red");
  CHECK_EQ(red->_int_index, 0);
  CHECK(EnumObj::_GetByIntIndex<ColorObj>(0).same_as(red));
  CHECK_EQ(EnumObj::_GetByIntIndex<RankObj>(20)->_str_index, "high");
  CHECK_RAISES("ValueError", "Enum `conformance.Color` has no instance with index 9",
               EnumObj::_GetByIntIndex<ColorObj>(9));
}

TEST(enums, state) {
  EnumState state = State(ColorObj::RuntimeTypeIndex());
  CHECK_EQ(state->entries.size(), 2u);
  CHECK_EQ(state->indexes.size(), 4u);
  Enum blue = EnumObj::_GetByStrIndex<ColorObj>("blue");
  CHECK_EQ((state->attrs["warm"][blue].cast<bool>()), false);
}

TEST(enums, duplicates) {
  CHECK_RAISES("ValueError", "Duplicate enum index for type `conformance.Color`", refl::EnumDef<ColorObj>("red"));
  CHECK_RAISES("ValueError", "Duplicate enum index for type `conformance.Rank`", refl::EnumDef<RankObj>("other", 10));
  CHECK(refl::EnumDef<ColorObj>::IsDefined("red"));
  CHECK(!refl::EnumDef<ColorObj>::IsDefined("green"));
}

TEST(enums, copies_and_text) {
  Enum red = EnumObj::_GetByStrIndex<ColorObj>("red");
  CHECK(DeepCopy(red).cast<Enum>().same_as(red));
  CHECK_EQ(ReprPrint(red), "conformance.Color.red");
}
