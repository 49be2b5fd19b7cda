// The current stream of each thread, by device.
#include <pthread.h>
#include <stdlib.h>

#include "core/raise.h"

typedef struct {
  int32_t device_type, device_id;  // of DLPack
  TVMFFIStreamHandle stream;       // never NULL: a device without a stream has no entry
} DeviceStream;

// Searched linearly: a thread uses few devices.
typedef struct {
  size_t count, capacity;  // of entries
  DeviceStream entries[];  // one for each device with a stream
} StreamTable;

static __thread StreamTable* streams SS_STATIC_TLS;
static pthread_key_t exit_key;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;
static int exit_key_made;

static void free_at_exit(void* unused) {
  (void)unused;
  free(streams);
  streams = NULL;
}

static void make_exit_key(void) { exit_key_made = pthread_key_create(&exit_key, free_at_exit) == 0; }

static DeviceStream* find(int32_t device_type, int32_t device_id) {
  for (size_t i = 0; streams != NULL && i < streams->count; i++) {
    DeviceStream* e = &streams->entries[i];
    if (e->device_type == device_type && e->device_id == device_id) return e;
  }
  return NULL;
}

static int add(DeviceStream added) {
  size_t count = streams == NULL ? 0 : streams->count;
  size_t capacity = streams == NULL ? 0 : streams->capacity;
  if (count == capacity) {
    capacity = capacity == 0 ? 4 : 2 * capacity;
    StreamTable* grown = realloc(streams, sizeof(StreamTable) + capacity * sizeof(DeviceStream));
    if (grown == NULL) return ss_raise_no_memory("TVMFFIEnvSetStream");
    if (streams == NULL) {
      pthread_once(&exit_once, make_exit_key);
      if (exit_key_made) pthread_setspecific(exit_key, &exit_key);
    }
    streams = grown;
    streams->capacity = capacity;
  }
  streams->entries[count] = added;
  streams->count = count + 1;
  return 0;
}

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle* opt_out_original_stream) {
  static const char name[] = "TVMFFIEnvSetStream";
  if (device_type < 0) {
    return ss_raise("ValueError", "%s: device_type must not be negative, got %d", name, device_type);
  }
  if (device_id < 0) return ss_raise("ValueError", "%s: device_id must not be negative, got %d", name, device_id);
  DeviceStream* e = find(device_type, device_id);
  TVMFFIStreamHandle original = e == NULL ? NULL : e->stream;
  if (stream == NULL) {
    if (e != NULL) *e = streams->entries[--streams->count];
  } else if (e != NULL) {
    e->stream = stream;
  } else if (add((DeviceStream){device_type, device_id, stream}) != 0) {
    return -1;
  }
  if (opt_out_original_stream != NULL) *opt_out_original_stream = original;
  return 0;
}

TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  DeviceStream* e = find(device_type, device_id);
  return e == NULL ? NULL : e->stream;
}
