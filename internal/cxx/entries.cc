// The exported C++ functions on values. Each calls the builtin function of the same meaning and throws tvm::ffi::Error.
#include "builtin.h"

namespace tvm {
namespace ffi {

SS_ENTRY Any DeepCopy(const Any& value) {
  static Builtin deep_copy("ffi.DeepCopy");
  return deep_copy({View(value)});
}

SS_ENTRY String ReprPrint(const Any& value) {
  static Builtin repr_print("ffi.ReprPrint");
  return String(repr_print({View(value)}).Release());
}

SS_ENTRY int64_t RecursiveHash(const Any& value) {
  static Builtin recursive_hash("ffi.RecursiveHash");
  return recursive_hash({View(value)}).raw().v_int64;
}

#define SS_COMPARISON(name)                                \
  SS_ENTRY bool name(const Any& a, const Any& b) {         \
    static Builtin compare("ffi." #name);                  \
    return compare({View(a), View(b)}).raw().v_int64 != 0; \
  }

SS_COMPARISON(RecursiveEq)
SS_COMPARISON(RecursiveLt)
SS_COMPARISON(RecursiveLe)
SS_COMPARISON(RecursiveGt)
SS_COMPARISON(RecursiveGe)

SS_ENTRY Any ToJSONGraph(const Any& value, const Any& metadata) {
  static Builtin to_graph("ffi.ToJSONGraph");
  return to_graph({View(value), View(metadata)});
}

SS_ENTRY Any FromJSONGraph(const Any& graph) {
  static Builtin from_graph("ffi.FromJSONGraph");
  return from_graph({View(graph)});
}

namespace json {

// With error_msg the function does not throw but stores the message there, "" for success.
SS_ENTRY Any Parse(const String& text, String* error_msg) {
  static Builtin parse("ffi.json.Parse");
  if (error_msg == nullptr) return parse({View(text)});
  try {
    Any value = parse({View(text)});
    *error_msg = String();
    return value;
  } catch (const Error& e) {
    *error_msg = String(e.what(), std::strlen(e.what()));
    return Any();
  }
}

SS_ENTRY String Stringify(const Any& value, const Optional<int>& indent) {
  static Builtin stringify("ffi.json.Stringify");
  return String(stringify({View(value), View(indent)}).Release());
}

}  // namespace json

class StructuralHash {
 public:
  SS_ENTRY static uint64_t Hash(const Any& value, bool map_free_vars, bool skip_tensor_content);
};

class StructuralEqual {
 public:
  SS_ENTRY static bool Equal(const Any& a, const Any& b, bool map_free_vars, bool skip_tensor_content);
  // None, or the two access paths as an Array.
  SS_ENTRY static ObjectRef GetFirstMismatch(const Any& a, const Any& b, bool map_free_vars, bool skip_tensor_content);
};

class VisitErrorContext : public ObjectRef {
 public:
  // An Array of access paths.
  SS_ENTRY static ObjectRef FindAccessPaths(const ObjectRef& root, const VisitErrorContext& context,
                                            bool allow_prefix_match);
};

uint64_t StructuralHash::Hash(const Any& value, bool map_free_vars, bool skip_tensor_content) {
  static Builtin hash("ffi.StructuralHash");
  return hash({View(value), View(map_free_vars), View(skip_tensor_content)}).raw().v_uint64;
}

bool StructuralEqual::Equal(const Any& a, const Any& b, bool map_free_vars, bool skip_tensor_content) {
  static Builtin equal("ffi.StructuralEqual");
  return equal({View(a), View(b), View(map_free_vars), View(skip_tensor_content)}).raw().v_int64 != 0;
}

ObjectRef StructuralEqual::GetFirstMismatch(const Any& a, const Any& b, bool map_free_vars, bool skip_tensor_content) {
  static Builtin mismatch("ffi.GetFirstStructuralMismatch");
  return mismatch({View(a), View(b), View(map_free_vars), View(skip_tensor_content)}).ReleaseObject();
}

ObjectRef VisitErrorContext::FindAccessPaths(const ObjectRef& root, const VisitErrorContext& context,
                                             bool allow_prefix_match) {
  static Builtin find("ffi.VisitErrorContext.FindAccessPaths");
  return find({View(root), View(context), View(allow_prefix_match)}).ReleaseObject();
}

}  // namespace ffi
}  // namespace tvm
