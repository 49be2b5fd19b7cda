// Long chains of objects of every kind that owns another, dropped on a thread with a small stack.
// Requirements: A2, I10
#include <pthread.h>

#include "check.h"
#include "selfsame/internal/refcount.h"
#include "collections/sequence.h"

enum { LONG = 100000, STACK = 64 * 1024 };

typedef TVMFFIObjectHandle (*Link)(TVMFFIObjectHandle owned);  // takes over `owned`, which may be NULL

static TVMFFIAny object_of(TVMFFIObjectHandle object) {
  TVMFFIAny value = {.type_index = object == NULL ? kTVMFFINone : ((TVMFFIObject*)object)->type_index};
  value.v_obj = object;
  return value;
}

static void drop(TVMFFIObjectHandle object) {
  if (object != NULL) TVMFFIObjectDecRef(object);
}

static TVMFFIObjectHandle error_with(TVMFFIObjectHandle owned, int as_cause) {
  TVMFFIObjectHandle made = NULL;
  TVMFFIByteArray text = bytes("E");
  CHECK_EQ(TVMFFIErrorCreateWithCauseAndExtraContext(&text, &text, &text, as_cause ? owned : NULL,
                                                     as_cause ? NULL : owned, &made),
           0);
  drop(owned);
  return made;
}

static TVMFFIObjectHandle cause(TVMFFIObjectHandle owned) { return error_with(owned, 1); }
static TVMFFIObjectHandle context(TVMFFIObjectHandle owned) { return error_with(owned, 0); }

static TVMFFIObjectHandle array(TVMFFIObjectHandle owned) {
  TVMFFIObjectHandle made = NULL;
  TVMFFIAny view = object_of(owned);
  CHECK_EQ(SelfsameArrayCreate(&view, 1, &made), 0);
  drop(owned);
  return made;
}

static int never_called(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

static void release(void* self) { drop(self); }

static TVMFFIObjectHandle closure(TVMFFIObjectHandle owned) {
  TVMFFIObjectHandle made = NULL;
  CHECK_EQ(TVMFFIFunctionCreate(owned, never_called, release, &made), 0);
  return made;
}

static TVMFFIObjectHandle opaque(TVMFFIObjectHandle owned) {
  TVMFFIObjectHandle made = NULL;
  CHECK_EQ(TVMFFIObjectCreateOpaque(owned, kTVMFFIOpaquePyObject, release, &made), 0);
  return made;
}

static int64_t shape[] = {0}, strides[] = {1};
static const DLTensor empty = {NULL, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, strides, 0};

static void release_managed(DLManagedTensor* managed) {
  drop(managed->manager_ctx);
  free(managed);
}

static TVMFFIObjectHandle imported(TVMFFIObjectHandle owned) {
  DLManagedTensor* managed = malloc(sizeof(*managed));
  *managed = (DLManagedTensor){empty, owned, release_managed};
  TVMFFIObjectHandle made = NULL;
  CHECK_EQ(TVMFFITensorFromDLPack(managed, 0, 0, &made), 0);
  return made;
}

static void release_versioned(DLManagedTensorVersioned* managed) {
  drop(managed->manager_ctx);
  free(managed);
}

static TVMFFIObjectHandle versioned(TVMFFIObjectHandle owned) {
  DLManagedTensorVersioned* managed = calloc(1, sizeof(*managed));
  managed->version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed->manager_ctx = owned;
  managed->deleter = release_versioned;
  managed->dl_tensor = empty;
  TVMFFIObjectHandle made = NULL;
  CHECK_EQ(TVMFFITensorFromDLPackVersioned(managed, 0, 0, &made), 0);
  return made;
}

static const struct {
  const char* name;
  Link link;
} links[] = {{"cause", cause},   {"context", context},   {"array", array},        {"closure", closure},
             {"opaque", opaque}, {"imported", imported}, {"versioned", versioned}};

enum { KINDS = sizeof(links) / sizeof(links[0]) };

static void* drop_on_thread(void* chain) {
  drop(chain);
  return NULL;
}

static void run_on_small_stack(void* (*function)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_t thread;
  CHECK_EQ(pthread_attr_init(&attributes), 0);
  CHECK_EQ(pthread_attr_setstacksize(&attributes, STACK), 0);
  CHECK_EQ(pthread_create(&thread, &attributes, function, argument), 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}

static void drop_on_small_stack(TVMFFIObjectHandle chain) { run_on_small_stack(drop_on_thread, chain); }

static void chains(void) {
  for (int kind = 0; kind <= KINDS; kind++) {  // the last round: all kinds by turns
    int64_t before = live_total();
    TVMFFIObjectHandle chain = NULL;
    for (int i = 0; i < LONG; i++) {
      int next = kind < KINDS ? kind : i % KINDS;
      if (kind == KINDS && links[next].link == cause) next = 1;  // a cause is an Error
      chain = links[next].link(chain);
    }
    CHECK_EQ(live_total() - before, LONG);
    drop_on_small_stack(chain);
    CHECK_EQ(live_total(), before);
  }
}

// Each object of the chain is observed by a weak reference, so that its count word cannot link it.
static void observed(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    static TVMFFIObjectHandle made[LONG];
    int64_t before = live_total();
    TVMFFIObjectHandle chain = NULL;
    for (int i = 0; i < LONG; i++) {
      made[i] = chain = links[kind].link(chain);
      ss_weak_incref(chain);
    }
    drop_on_small_stack(chain);
    for (int i = 0; i < LONG; i++) {
      CHECK_EQ(ss_strong(made[i]), 0);
      ss_weak_decref(made[i]);
    }
    CHECK_EQ(live_total(), before);
  }
}

// ---- objects of a class in C++: the deleter releases what they own, inline ----

enum { NODE = 4000 };

typedef struct {
  TVMFFIObject header;  // of type NODE
  TVMFFIObject* next;   // owned; NULL for none
  TVMFFIAny any;        // owned
} Node;

static int64_t live_nodes;

static void delete_node(void* self, int flags) {
  Node* node = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    ss_xdecref(node->next);
    if (node->any.type_index >= kTVMFFIStaticObjectBegin) ss_decref(node->any.v_obj);
    live_nodes--;
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(node);
}

static TVMFFIObject* node_with(TVMFFIObject* next, TVMFFIAny any) {
  Node* node = malloc(sizeof(*node));
  *node = (Node){.next = next, .any = any};
  ss_object_init(node, NODE, delete_node);
  live_nodes++;
  return &node->header;
}

static const TVMFFIAny none = {.type_index = kTVMFFINone};

static void register_nodes(void) {
  TVMFFIByteArray key = bytes("tests.teardown.Node");
  TVMFFIByteArray root = bytes("ffi.Object");
  SsType* type = ss_type_add(&key, NODE, 1, ss_type_add(&root, kTVMFFIObject, 0, NULL, 1, 1), 1, 0);
  TVMFFIFieldInfo fields[] = {
      {.name = bytes("next"),
       .size = sizeof(void*),
       .offset = offsetof(Node, next),
       .metadata = bytes("{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Object\\\"}\"}"),
       .field_static_type_index = kTVMFFIObject},
      {.name = bytes("any"),
       .size = sizeof(TVMFFIAny),
       .offset = offsetof(Node, any),
       .metadata = bytes("{\"type_schema\":\"{\\\"type\\\":\\\"Any\\\"}\"}"),
       .field_static_type_index = kTVMFFIAny},
  };
  CHECK(type != NULL);
  for (int i = 0; i < 2; i++) CHECK_EQ(ss_type_add_field(type, &fields[i]), 0);
}

static TVMFFIObject* by_pointers(TVMFFIObject* before) { return node_with(before, none); }
static TVMFFIObject* by_values(TVMFFIObject* before) { return node_with(NULL, object_of(before)); }
static TVMFFIObject* by_both(TVMFFIObject* before) {
  if (before != NULL) ss_incref(before);
  return node_with(before, object_of(before));
}
static TVMFFIObject* through_arrays(TVMFFIObject* before) { return node_with(array(before), none); }

static TVMFFIObject* chain_of(TVMFFIObject* (*link)(TVMFFIObject*)) {
  TVMFFIObject* chain = NULL;
  for (int i = 0; i < LONG; i++) chain = link(chain);
  return chain;
}

static void* clear_list(void* list) {
  CHECK_EQ(ss_list_clear(ss_sequence(list)), 0);
  return NULL;
}

// However the runtime comes to drop the first one: from the C ABI, with a container, or out of a container.
static void nodes(void) {
  TVMFFIObject* (*const ways[])(TVMFFIObject*) = {by_pointers, by_values, by_both, through_arrays};
  register_nodes();
  for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
    drop_on_small_stack(chain_of(ways[i]));
    CHECK_EQ(live_nodes, 0);
    drop_on_small_stack(array(chain_of(ways[i])));
    CHECK_EQ(live_nodes, 0);
    TVMFFIAny first = object_of(chain_of(ways[i]));
    TVMFFIObject* list = ss_list_of(&first, 1);
    run_on_small_stack(clear_list, list);
    CHECK_EQ(live_nodes, 0);
    drop(list);
  }
}

// What another owner has stays, and so does what that owns.
static void shared_node(void) {
  TVMFFIObject* kept = node_with(node_with(NULL, none), none);
  ss_incref(kept);
  drop(node_with(node_with(kept, none), none));
  CHECK_EQ(live_nodes, 2);
  drop(kept);
  CHECK_EQ(live_nodes, 0);
}

int main(void) {
  chains();
  observed();
  nodes();
  shared_node();
  return failures != 0;
}
