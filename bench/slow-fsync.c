/*
 * A slow disk for benches: each fsync and fdatasync takes SLOW_FSYNC_MS longer.
 *   gcc -shared -fPIC -O2 -o slow-fsync.so slow-fsync.c -ldl
 *   LD_PRELOAD=./slow-fsync.so SLOW_FSYNC_MS=5 bun src/main.ts
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_a_little(void) {
  const char *text = getenv("SLOW_FSYNC_MS");
  long ms = text ? atol(text) : 5;
  struct timespec pause = {ms / 1000, (ms % 1000) * 1000000L};
  nanosleep(&pause, 0);
}

int fsync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_a_little();
  return real(file);
}

int fdatasync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_a_little();
  return real(file);
}
