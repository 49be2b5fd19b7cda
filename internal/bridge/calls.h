// Private to selfsame: how Go calls the C functions of this package.
//
// A forked child gets a new Go by loading a copy of the library (RATIONALE.md, "Why a forked child loads a copy of the
// library"). The copy has C code of its own, but all state lies in the original's. So Go calls C only through the
// functions ss_out_NAME here, which call ss_bridge_NAME of the original: in the original itself, and in each copy.
//
// When such a call returns, the caller must still be alive. C code may have forked during the call, and in the child
// the Go that called is dead. ss_out_end ends the process then, because no Go code could run there again.
#ifndef SELFSAME_INTERNAL_BRIDGE_CALLS_H_
#define SELFSAME_INTERNAL_BRIDGE_CALLS_H_

#include "bridge.h"
#include "go_state.h"
#include "log.h"
#include "trace.h"

// The functions that Go calls: F(result, name, parameters, arguments), or P(name, parameters, arguments) for those
// without a result. The comments are at their declarations.
// clang-format off
#define SS_BRIDGE_EACH(F, P) \
  F(int, call, (uint64_t function, uint64_t frame, uint64_t args, int32_t num_args, int has_texts), \
    (function, frame, args, num_args, has_texts)) \
  F(SsValueWords, call2, (uint64_t function, int32_t num_args, uint64_t head0, uint64_t bits0, uint64_t head1, \
    uint64_t bits1), (function, num_args, head0, bits0, head1, bits1)) \
  F(SsValueWords, call4, (uint64_t function, int32_t num_args, uint64_t head0, uint64_t bits0, uint64_t head1, \
    uint64_t bits1, uint64_t head2, uint64_t bits2, uint64_t head3, uint64_t bits3), \
    (function, num_args, head0, bits0, head1, bits1, head2, bits2, head3, bits3)) \
  F(SsValueWords, call_words, (uint64_t function, uint64_t heads, uint64_t bits0, uint64_t bits1, uint64_t bits2, \
    uint64_t bits3), (function, heads, bits0, bits1, bits2, bits3)) \
  F(uint64_t, new_text, (int is_bytes, const char* data, size_t size, TVMFFIAny* out), (is_bytes, data, size, out)) \
  F(int, new_texts, (uint64_t texts, size_t count, TVMFFIAny* out, TVMFFIObjectHandle* error), \
    (texts, count, out, error)) \
  F(int, new_container_from_go, (int32_t type_index, const TVMFFIAny* views, int32_t n, TVMFFIObjectHandle* out, \
    TVMFFIObjectHandle* error), (type_index, views, n, out, error)) \
  F(int, convert_from_go, (const TVMFFIAny* view, const SsType* type, TVMFFIAny* owned, char* text, size_t text_size, \
    TVMFFIObjectHandle* error), (view, type, owned, text, text_size, error)) \
  F(int, convert_plain_from_go, (SsKind kind, const TVMFFIAny* value, TVMFFIAny* owned, TVMFFIObjectHandle* error), \
    (kind, value, owned, error)) \
  F(int, register_field, (int32_t type_index, TVMFFIFieldInfo* info, const SsField* field, TVMFFIObjectHandle* error), \
    (type_index, info, field, error)) \
  F(int, get_field, (const TVMFFIFieldInfo* info, TVMFFIObject* object, TVMFFIAny* value, TVMFFIObjectHandle* error), \
    (info, object, value, error)) \
  F(uint64_t, call_init, (uint64_t function), (function)) \
  F(SsValueWords, get_field_words, (uint64_t info, uint64_t object), (info, object)) \
  F(int, set_field, (const TVMFFIFieldInfo* info, TVMFFIObject* object, const TVMFFIAny* value, \
    TVMFFIObjectHandle* error), (info, object, value, error)) \
  F(int, add_layout, (const SsLayout* layout), (layout)) \
  F(uint64_t, new_or_error, (uint64_t layout, uint64_t table, uint64_t go_id), \
    (layout, table, go_id)) \
  F(uint64_t, create, (const TVMFFITypeInfo* info), (info)) \
  P(dec_ref, (uint64_t object), (object)) \
  P(weak_dec_ref, (uint64_t object), (object)) \
  F(TVMFFIObjectCreator, creator, (const SsLayout* layout), (layout)) \
  F(int, register_makers, (const SsLayout* layout, int has_creator, TVMFFIObjectHandle* error), \
    (layout, has_creator, error)) \
  F(int, new_function, (uint64_t id, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error), (id, out, error)) \
  F(int, new_opaque, (int32_t type_index, uint64_t id, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error), \
    (type_index, id, out, error)) \
  F(int, new_value, (int32_t type_index, uint64_t id, const char* type_name, TVMFFIObjectHandle* out, \
    TVMFFIObjectHandle* error), (type_index, id, type_name, out, error)) \
  F(SsGoRefs*, go_refs, (void), ()) \
  F(uint64_t, new_keeping, (uint64_t layout, int32_t value_type, uint64_t id, uint64_t type_name, uint64_t dead), \
    (layout, value_type, id, type_name, dead)) \
  F(int32_t, value_class, (const TVMFFIByteArray* key), (key)) \
  F(int, new_refusal, (const TVMFFIByteArray* text, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error), \
    (text, out, error)) \
  F(int, watch_exit, (void), ()) \
  F(int32_t, take_dropped, (uint64_t* objects, int32_t n), (objects, n)) \
  F(int64_t, drop_ended, (void), ()) \
  F(int64_t, pending_drops, (const SelfsameTieTable* table), (table)) \
  F(uint64_t, opaque_id, (const TVMFFIObject* object, int32_t type_index), (object, type_index)) \
  F(int, error_has_links, (const void* error), (error)) \
  P(free_go_refs, (uint64_t list), (list)) \
  F(int, new_tensor, (uint64_t id, uint64_t data, DLDataType dtype, int32_t ndim, const int64_t* shape, \
    TVMFFIObjectHandle* out, TVMFFIObjectHandle* error), (id, data, dtype, ndim, shape, out, error)) \
  F(int, tensor_from_dlpack, (uint64_t managed, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error), \
    (managed, out, error)) \
  F(uint64_t, tensor_to_dlpack, (TVMFFIObjectHandle tensor, TVMFFIObjectHandle* error), (tensor, error)) \
  P(dlpack_delete, (uint64_t managed), (managed)) \
  F(int, register_type, (const TVMFFIByteArray* key, int32_t depth, int32_t parent, int final, int32_t* index, \
    TVMFFIObjectHandle* error), (key, depth, parent, final, index, error)) \
  F(int32_t, type_index, (const TVMFFIByteArray* key), (key)) \
  F(int32_t, opaque_class, (const TVMFFIByteArray* key), (key)) \
  F(const TVMFFITypeInfo*, type_info, (int32_t type_index), (type_index)) \
  F(const TVMFFITypeAttrColumn*, attr_column, (const TVMFFIByteArray* name), (name)) \
  F(int, register_metadata, (int32_t index, const TVMFFITypeMetadata* metadata, TVMFFIObjectHandle* error), \
    (index, metadata, error)) \
  F(int, register_method, (int32_t index, const TVMFFIMethodInfo* info, TVMFFIObjectHandle* error), \
    (index, info, error)) \
  F(int, register_attr, (int32_t index, const TVMFFIByteArray* name, const TVMFFIAny* value, \
    TVMFFIObjectHandle* error), (index, name, value, error)) \
  F(int, set_global, (const TVMFFIMethodInfo* info, int override, TVMFFIObjectHandle* error), (info, override, error)) \
  F(int, get_global, (const char* name, size_t size, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error), \
    (name, size, out, error)) \
  F(int, new_error, (const char* kind, size_t kind_size, const char* message, size_t message_size, \
    const char* backtrace, size_t backtrace_size, TVMFFIObjectHandle cause, TVMFFIObjectHandle extra, \
    TVMFFIObjectHandle* out), (kind, kind_size, message, message_size, backtrace, backtrace_size, cause, extra, out)) \
  P(append_backtrace, (TVMFFIObjectHandle error, const char* text, size_t size), (error, text, size)) \
  P(set_raised, (TVMFFIObjectHandle error), (error)) \
  F(const SelfsameTieTable*, tie_table, (TVMFFIObjectHandle* error), (error)) \
  F(SelfsameTieRecord*, tie_acquire, (const SelfsameTieTable* table, uint64_t object), (table, object)) \
  F(uint32_t, tie_owner, (const SelfsameTieTable* table), (table)) \
  P(registration_lock, (int on), (on)) \
  F(void*, live_function, (void), ()) \
  F(int64_t, live_objects, (void* function, int32_t type_index), (function, type_index)) \
  F(void*, allocation_function, (void), ()) \
  F(void*, read_only_function, (void), ()) \
  F(void*, read_only_deleter, (void* function), (function)) \
  F(void*, share_function, (void), ()) \
  F(const SelfsameAllocation*, allocation_get, (void* function), (function)) \
  F(int, share_free_list, (void* function, const SelfsameTieTable* table, int32_t type_index, uint64_t word), \
    (function, table, type_index, word)) \
  P(add_collector, (const SelfsameTieTable* table, uint64_t kept, uint64_t settled), (table, kept, settled)) \
  F(int64_t, collect_others, (const SelfsameTieTable* table), (table)) \
  P(initialising, (int on), (on)) \
  F(SsLogged*, log, (SsLoggedKind kind, int32_t type_index, uint64_t id, const char* name, size_t size), \
    (kind, type_index, id, name, size)) \
  F(SsLogged*, last_logged, (void), ()) \
  F(uint64_t*, last_id, (void), ()) \
  SS_BRIDGE_TRACE_EACH(F, P)

#ifdef SS_BRIDGE_DEBUG
#define SS_BRIDGE_TRACE_EACH(F, P) \
  F(int, trace, (TVMFFIObjectHandle object, const uint64_t* stack, int32_t depth), (object, stack, depth)) \
  F(size_t, traced, (SsTracedNative* out, size_t room), (out, room))
#else
#define SS_BRIDGE_TRACE_EACH(F, P)
#endif
// clang-format on

// The functions of one image of the library.
typedef struct SsBridgeCalls {
#define SS_MEMBER_F(result, name, params, args) result(*name) params;
#define SS_MEMBER_P(name, params, args) void(*name) params;
  SS_BRIDGE_EACH(SS_MEMBER_F, SS_MEMBER_P)
#undef SS_MEMBER_F
#undef SS_MEMBER_P
} SsBridgeCalls;

// The original's. Set before Go starts and never changed.
extern const SsBridgeCalls* ss_bridge_calls __attribute__((visibility("hidden")));

#define SS_OUT_F(result, name, params, args)     \
  static inline result ss_out_##name params {    \
    uint64_t begun_ = ss_out_begin();            \
    result result_ = ss_bridge_calls->name args; \
    ss_out_end(begun_);                          \
    return result_;                              \
  }
#define SS_OUT_P(name, params, args)        \
  static inline void ss_out_##name params { \
    uint64_t begun_ = ss_out_begin();       \
    ss_bridge_calls->name args;             \
    ss_out_end(begun_);                     \
  }
SS_BRIDGE_EACH(SS_OUT_F, SS_OUT_P)
#undef SS_OUT_F
#undef SS_OUT_P

#endif  // SELFSAME_INTERNAL_BRIDGE_CALLS_H_
