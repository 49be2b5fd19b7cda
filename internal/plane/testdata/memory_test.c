// Every single allocation of a scenario fails in turn. Whatever fails says so with a MemoryError, nothing is
// lost, and the next attempt succeeds. Linked with --wrap for the allocation functions (plane_test.go).
// Requirement: B3
#include "check.h"
#include "plane.h"

static int64_t allowed = -1;  // allocations until all fail; -1: none fails
static int64_t made;

void* __real_malloc(size_t size);
void* __real_calloc(size_t n, size_t size);
void* __real_realloc(void* p, size_t size);
int __real_posix_memalign(void** p, size_t alignment, size_t size);

static int fails(void) {
  made++;
  if (allowed < 0) return 0;
  if (allowed == 0) return 1;
  allowed--;
  return 0;
}

void* __wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void* __wrap_calloc(size_t n, size_t size) { return fails() ? NULL : __real_calloc(n, size); }
void* __wrap_realloc(void* p, size_t size) { return fails() ? NULL : __real_realloc(p, size); }
int __wrap_posix_memalign(void** p, size_t alignment, size_t size) {
  return fails() ? 12 : __real_posix_memalign(p, alignment, size);
}

// ---- the scenario: each step returns 0, or -1 with an error raised --------------------------------------------------

static int step_string(void) {
  TVMFFIByteArray text = bytes("longer than seven");
  TVMFFIAny value;
  int rc = TVMFFIStringFromByteArray(&text, &value);
  if (rc == 0) ss_any_clear(&value);
  return rc;
}

static int step_array(void) {
  TVMFFIAny views[2] = {{.type_index = kTVMFFIRawStr, .v_c_str = "longer than seven"},
                        {.type_index = kTVMFFIRawStr, .v_c_str = "another one of them"}};
  TVMFFIObjectHandle h = NULL;
  int rc = SelfsameArrayCreate(views, 2, &h);
  CHECK((rc == 0) == (h != NULL));
  TVMFFIObjectDecRef(h);
  return rc;
}

static int step_list(void) {
  TVMFFIObject* list = ss_list_new(5);
  TVMFFIObjectDecRef(list);
  return list == NULL ? -1 : 0;
}

static int step_shape(void) {
  int64_t* dimensions = NULL;
  TVMFFIObject* shape = ss_shape_new(3, &dimensions);
  CHECK((shape == NULL) == (dimensions == NULL));
  TVMFFIObjectDecRef(shape);
  return shape == NULL ? -1 : 0;
}

static int step_map(void) {
  TVMFFIObject* map = ss_map_new(kTVMFFIDict, 200);
  if (map == NULL) return -1;
  *ss_map_cell(map) = (SsMapCell){.data = (char*)map + 56, .capacity = SS_MAP_SMALL | 2};
  TVMFFIObjectHandle iterator = NULL;
  int rc = ss_map_iterator(map, &iterator);
  CHECK((rc == 0) == (iterator != NULL));
  CHECK_EQ(map->combined_ref_count & 0xffffffff, rc == 0 ? 2 : 1);
  TVMFFIObjectDecRef(iterator);
  TVMFFIObjectDecRef(map);
  return rc;
}

static int step_buffer(void) {
  void* buffer = ss_buffer_new(100);
  ss_buffer_free(buffer);
  return buffer == NULL ? -1 : 0;
}

static int nothing(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle, (void)args, (void)num_args, (void)result;
  return 0;
}

static TVMFFIObject* function;

static int step_function(void) {
  TVMFFIObjectHandle h = NULL;
  int rc = TVMFFIFunctionCreate(&made, nothing, NULL, &h);
  TVMFFIObjectDecRef(h);
  return rc;
}

static int step_error(void) {
  TVMFFIByteArray kind = bytes("ValueError"), text = bytes("some text");
  TVMFFIObjectHandle h = NULL;
  int rc = TVMFFIErrorCreate(&kind, &text, &text, &h);
  if (rc == 0) {  // a backtrace that cannot grow stays as it is
    TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)h + 1);
    cell->update_backtrace(h, &text, kTVMFFIBacktraceUpdateModeAppend);
    CHECK(cell->backtrace.size == text.size || cell->backtrace.size == 2 * text.size);
  }
  TVMFFIObjectDecRef(h);
  return rc;
}

static int step_aligned(void) {
  TVMFFIObjectHandle h = NULL;
  int rc = SelfsameObjectAlloc(100, 256, 70000, ss_delete_plain, &h);
  TVMFFIObjectDecRef(h);
  return rc;
}

static int round_of_names;

static int step_names(void) {
  char name[40];
  snprintf(name, sizeof(name), "memory.%d", round_of_names++);  // a new name needs a new entry
  TVMFFIByteArray key = bytes(name);
  TVMFFIMethodInfo info = {.doc = bytes("some documentation"), .metadata = bytes("{}")};
  TVMFFIObject* old = NULL;
  if (ss_name_put(&key, function, &info, &old) != 0) {
    CHECK(old == NULL);
    SsGlobalName* found = ss_name_find(&key);
    CHECK(found == NULL || found->order == 0);
    return -1;
  }
  const TVMFFIByteArray* list = NULL;
  int64_t n = ss_names_list(&list);
  free((void*)list);
  TVMFFIObjectDecRef(ss_name_remove(ss_name_find(&key)));
  return n < 0 ? -1 : 0;
}

static SsType* root;

static int step_types(void) {
  char name[40];
  int32_t index = 200000 + 1100 * round_of_names++;  // a new chunk each time
  snprintf(name, sizeof(name), "memory.T%d", index);
  TVMFFIByteArray key = bytes(name);
  SsType* type = ss_type_add(&key, index, 1, root, 1, 1);
  if (type == NULL) {
    CHECK(ss_type_at(index) == NULL);
    CHECK_EQ(ss_type_by_key(&key), -1);
    return -1;
  }
  TVMFFIFieldInfo field = {.size = 8};
  TVMFFIMethodInfo method = {.flags = 0};
  for (int i = 0; i < 10; i++) {
    int32_t before = type->info.num_fields;
    if (ss_type_add_field(type, &field) != 0) {
      CHECK_EQ(type->info.num_fields, before);
      return -1;
    }
    if (ss_type_add_method(type, &method) != 0) return -1;
  }
  return 0;
}

static int step_columns(void) {
  char name[40];
  snprintf(name, sizeof(name), "__memory%d__", round_of_names++);
  TVMFFIByteArray key = bytes(name);
  SsAttributeColumn* column = ss_column_add(&key);
  if (column == NULL) {
    CHECK(ss_column_find(&key) == NULL);
    return -1;
  }
  for (int32_t index = 1; index < 3000; index *= 3) {
    if (ss_column_reach(column, index) == NULL) {
      CHECK(column->column.size <= index);
      return -1;
    }
  }
  return 0;
}

static int (*const steps[])(void) = {step_list,     step_shape, step_map,     step_buffer, step_string, step_array,
                                     step_function, step_error, step_aligned, step_names,  step_types,  step_columns};

// Raising succeeds in some way however little memory there is.
static void raise_with_little(int64_t n) {
  char longer[2000];
  memset(longer, 'x', sizeof(longer) - 1);
  longer[sizeof(longer) - 1] = '\0';
  const char* parts[] = {"one", longer};
  allowed = n;
  TVMFFIErrorSetRaisedFromCStr("KeyError", "message");
  CHECK(ss_raised() != NULL);
  ss_raise("KeyError", "%s", longer);
  CHECK(ss_raised() != NULL);
  TVMFFIErrorSetRaisedFromCStrParts("KeyError", parts, 2);
  CHECK(ss_raised() != NULL);
  CHECK(TVMFFIBacktrace("file", 1, "function", 0) != NULL);
  allowed = -1;
  TVMFFIErrorSetRaised(NULL);
}

int main(void) {
  TVMFFIByteArray root_key = bytes("ffi.Object");
  TVMFFIObjectHandle h = NULL;
  CHECK_EQ(TVMFFIFunctionCreate(&made, nothing, NULL, &h), 0);
  function = h;
  root = ss_type_add(&root_key, 64, 0, NULL, 1, 1);
  ss_start_begin();
  ss_start_end();
  int64_t before = live_total();
  for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
    int rc = -1;
    for (int64_t n = 0; rc != 0 && n < 200; n++) {
      allowed = n;
      rc = steps[i]();
      allowed = -1;
      if (rc != 0) CHECK_RAISED("MemoryError", "out of memory");
      CHECK_EQ(live_total(), before);
    }
    CHECK_EQ(rc, 0);
  }
  for (int64_t n = 0; n < 30; n++) raise_with_little(n);
  TVMFFIObjectDecRef(function);
  CHECK(made > 100);
  return failures != 0;
}
