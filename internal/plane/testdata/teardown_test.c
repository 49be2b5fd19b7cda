// Long chains of objects of every kind that owns another, dropped on a thread with a small stack.
// Requirement: A2
#include <pthread.h>

#include "check.h"
#include "selfsame/internal/refcount.h"

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

static void drop_on_small_stack(TVMFFIObjectHandle chain) {
  pthread_attr_t attributes;
  pthread_t thread;
  CHECK_EQ(pthread_attr_init(&attributes), 0);
  CHECK_EQ(pthread_attr_setstacksize(&attributes, STACK), 0);
  CHECK_EQ(pthread_create(&thread, &attributes, drop_on_thread, chain), 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}

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

int main(void) {
  chains();
  observed();
  return failures != 0;
}
