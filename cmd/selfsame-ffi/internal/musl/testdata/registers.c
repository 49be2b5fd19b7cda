// Calls the functions of word.S in a library, on two threads, and checks that each changes one register and nothing else.
//
// Usage: registers LIBRARY
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { REGISTERS = 15, FLAGS = REGISTERS, ALL };

static const char* const names[REGISTERS] = {"rax", "rcx", "rdx", "rbx", "rbp", "rsi", "rdi", "r8",
                                             "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
// Carry, parity, auxiliary carry, zero, sign and overflow.
static const uint64_t flags[] = {0, 0x1, 0x4, 0x10, 0x40, 0x80, 0x800, 0x8d5};
static const uint64_t all_flags = 0x8d5;

static void* library;
static int failed;
static uint64_t offsets[2];  // of the word on each thread

static void* run(void* number) {
  uint64_t base;
  __asm__("movq %%fs:0, %0" : "=r"(base));
  for (int r = 0; r < REGISTERS; r++) {
    char name[16];
    snprintf(name, sizeof(name), "test_%s", names[r]);
    void (*test)(const uint64_t*, uint64_t*);
    *(void**)&test = dlsym(library, name);
    for (size_t f = 0; f < sizeof(flags) / sizeof(flags[0]); f++) {
      uint64_t in[ALL], out[ALL];
      for (int i = 0; i < REGISTERS; i++) in[i] = 0x1111111111111111 * (uint64_t)(i + 1) + f;
      in[FLAGS] = 0x202 | flags[f];
      memset(out, 0, sizeof(out));
      test(in, out);
      for (int i = 0; i < REGISTERS; i++) {
        if (i != r && in[i] != out[i]) failed = printf("%s changes %s\n", name, names[i]);
      }
      if ((in[FLAGS] ^ out[FLAGS]) & all_flags) failed = printf("%s changes the flags %lx\n", name, (long)flags[f]);
      uint64_t* word = (uint64_t*)(base + out[r]);
      if (*word != (r + f == 0 ? 0 : base)) failed = printf("%s: another word\n", name);
      *word = base;
      offsets[*(int*)number] = base + out[r];
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  int first = 0, second = 1;
  pthread_t thread;
  library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (library == NULL) return printf("%s\n", dlerror());
  run(&first);
  pthread_create(&thread, NULL, run, &second);
  pthread_join(thread, NULL);
  if (offsets[0] == offsets[1]) failed = printf("two threads have one word\n");
  return failed != 0;
}
