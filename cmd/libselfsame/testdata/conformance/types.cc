// Type indices, child slots, casts.
// Requirements: A4, E1
#include "checks.h"
#include "classes.h"

void Types() {
  int32_t shape = ShapeNode::RuntimeTypeIndex(), square = SquareNode::RuntimeTypeIndex();
  int32_t tile = TileNode::RuntimeTypeIndex(), circle = CircleNode::RuntimeTypeIndex();
  int32_t oval = OvalNode::RuntimeTypeIndex(), other = OtherNode::RuntimeTypeIndex();
  CHECK(shape >= 128 && square > shape && tile > square && circle > shape && oval > shape);
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(tile);
  CHECK(info->type_depth == 3);
  CHECK(info->type_ancestors[0]->type_index == 64);
  CHECK(info->type_ancestors[1]->type_index == shape);
  CHECK(info->type_ancestors[2] == TVMFFIGetTypeInfo(square));
  CHECK(info->type_key_hash == std::hash<String>()(String("conformance.Tile")));

  ObjectRef t(make_object<TileNode>()), c(make_object<CircleNode>()), o(make_object<OvalNode>());
  ObjectRef x(make_object<OtherNode>());
  CHECK(t->IsInstance<ShapeNode>() && t->IsInstance<SquareNode>() && t->IsInstance<TileNode>());
  CHECK(c->IsInstance<ShapeNode>() && !c->IsInstance<SquareNode>() && !c->IsInstance<TileNode>());
  CHECK(o->IsInstance<ShapeNode>() && !o->IsInstance<CircleNode>());
  CHECK(!x->IsInstance<ShapeNode>() && x->IsInstance<Object>());
  CHECK(other != shape);
  CHECK(t.as<SquareNode>() != nullptr && c.as<SquareNode>() == nullptr);
  CHECK(t->GetTypeKey() == "conformance.Tile");
  Any any = c;
  CHECK_THROWS(any.cast<Array<Any>>(), "TypeError", "Cannot convert from type `conformance.Circle`");

  TVMFFIByteArray key = {"conformance.Square", 18}, missing = {"conformance.Nothing", 19};
  int32_t index = 0;
  CHECK(TVMFFITypeKeyToIndex(&key, &index) == 0 && index == square);
  CHECK(TVMFFITypeKeyToIndex(&missing, &index) != 0);
  CHECK_THROWS(throw tvm::ffi::details::MoveFromSafeCallRaised(), "InternalError",
               "Cannot find type `conformance.Nothing`");
  CHECK(TVMFFITypeGetOrAllocIndex(&missing, -1, 0, 0, 0, -2) == -2);
  CHECK(TVMFFITypeGetOrAllocIndex(&key, -1, 9, 9, 0, -1) == square);

  int found = 0;
  for (String k : Global("ffi.GetRegisteredTypeKeys")().cast<Array<String>>()) {
    if (k == "ffi.Array" || k == "conformance.Tile" || k == "const char*") found++;
  }
  CHECK(found == 3);
}

// The documented example of index allocation.
void ChildSlots() {
  auto type = [](const char* key, int32_t slots, int overflow, int32_t parent, int32_t depth) {
    TVMFFIByteArray bytes = {key, std::strlen(key)};
    return TVMFFITypeGetOrAllocIndex(&bytes, -1, depth, slots, overflow, parent);
  };
  int32_t base = type("conformance.slots.Base", 2, 1, 64, 1);
  CHECK(type("conformance.slots.A", 0, 1, base, 2) == base + 1);
  CHECK(type("conformance.slots.B", 0, 1, base, 2) == base + 2);
  CHECK(type("conformance.slots.C", 0, 1, base, 2) == base + 3);
  CHECK(type("conformance.slots.Unrelated", 0, 1, 64, 1) == base + 4);
  // A child with child slots takes them from its parent's.
  int32_t wide = type("conformance.slots.Wide", 3, 0, 64, 1);
  int32_t inner = type("conformance.slots.Inner", 1, 1, wide, 2);
  CHECK(inner == wide + 1);
  CHECK(type("conformance.slots.Innermost", 0, 1, inner, 3) == wide + 2);
  CHECK(type("conformance.slots.Last", 0, 1, wide, 2) == wide + 3);
  CHECK(type("conformance.slots.After", 0, 1, 64, 1) == wide + 4);
}
