// Copying memory of this process that another thread may free: the system reads it, and stops where nothing is
// mapped. Any thread.
#ifndef SELFSAME_INTERNAL_SYSTEM_COPY_H_
#define SELFSAME_INTERNAL_SYSTEM_COPY_H_

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)

#include <windows.h>

typedef struct {
  void* iov_base;
  size_t iov_len;
} SsPiece;

// Copies `count` pieces of `remote` to those of `local`, which have the same sizes. Returns the bytes copied up to the
// first that cannot be read.
static inline size_t ss_system_copy(const SsPiece* local, const SsPiece* remote, int count) {
  size_t copied = 0;
  for (int i = 0; i < count; i++) {
    SIZE_T read = 0;
    BOOL whole =
        ReadProcessMemory(GetCurrentProcess(), remote[i].iov_base, local[i].iov_base, remote[i].iov_len, &read);
    copied += whole ? remote[i].iov_len : 0;  // what a failed call has read is not told by each system
    if (!whole) break;
  }
  return copied;
}

#elif defined(__APPLE__)

#include <mach/mach.h>
#include <sys/uio.h>

typedef struct iovec SsPiece;

static inline size_t ss_system_copy(const SsPiece* local, const SsPiece* remote, int count) {
  size_t copied = 0;
  for (int i = 0; i < count; i++) {
    vm_size_t read = 0;
    vm_address_t from = (vm_address_t)remote[i].iov_base, to = (vm_address_t)local[i].iov_base;
    if (vm_read_overwrite(mach_task_self(), from, remote[i].iov_len, to, &read) != KERN_SUCCESS) break;
    copied += read;
  }
  return copied;
}

#else

#include <sys/uio.h>
#include <unistd.h>

typedef struct iovec SsPiece;

static inline size_t ss_system_copy(const SsPiece* local, const SsPiece* remote, int count) {
  ssize_t copied = process_vm_readv(getpid(), local, (unsigned long)count, remote, (unsigned long)count, 0);
  return copied < 0 ? 0 : (size_t)copied;
}

#endif

#endif  // SELFSAME_INTERNAL_SYSTEM_COPY_H_
