/*
 * Writes down what a process does to the files of one directory, in order: JOURNAL_OF is the directory, JOURNAL_TO the
 * journal. Each record is a head and then the path and the written bytes. What is done is recorded when it is done:
 * an fsync counts from its return.
 *   gcc -shared -fPIC -O2 -o write-journal.so write-journal.c -ldl -lpthread
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { WRITE = 1, SYNC = 2, TRUNCATE = 3, UNLINK = 4 };

typedef struct {
  double at_ms; /* since the epoch */
  int64_t offset;
  uint32_t size;
  uint32_t path_size;
  uint32_t what;
  uint32_t padding;
} head;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int journal = -1;

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int is_watched(const char *path) {
  const char *directory = getenv("JOURNAL_OF");
  return directory && strncmp(path, directory, strlen(directory)) == 0;
}

static int path_of(int file, char *path, size_t room) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, path, room - 1);
  if (size <= 0) return 0;
  path[size] = 0;
  return is_watched(path);
}

/* To be called with the lock held. */
static void record(uint32_t what, const char *path, int64_t offset, const void *bytes, size_t size) {
  if (journal < 0) journal = open(getenv("JOURNAL_TO"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  head start = {now_ms(), offset, bytes ? size : 0, strlen(path), what, 0};
  struct iovec parts[3] = {{&start, sizeof start}, {(void *)path, start.path_size}, {(void *)bytes, start.size}};
  if (writev(journal, parts, 3) < 0) abort();
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define WATCHED(file, call, what, offset, bytes, size) \
  char path[4096]; \
  if (!path_of(file, path, sizeof path)) return call; \
  pthread_mutex_lock(&lock); \
  ssize_t result = call; \
  if (result >= 0) record(what, path, offset, bytes, size); \
  pthread_mutex_unlock(&lock); \
  return result

ssize_t write(int file, const void *bytes, size_t size) {
  REAL(write);
  off_t offset = lseek(file, 0, SEEK_CUR);
  WATCHED(file, real(file, bytes, size), WRITE, offset, bytes, result);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  REAL(pwrite);
  WATCHED(file, real(file, bytes, size, offset), WRITE, offset, bytes, result);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
  REAL(pwrite64);
  WATCHED(file, real(file, bytes, size, offset), WRITE, offset, bytes, result);
}

int fsync(int file) {
  REAL(fsync);
  WATCHED(file, real(file), SYNC, 0, 0, 0);
}

int fdatasync(int file) {
  REAL(fdatasync);
  WATCHED(file, real(file), SYNC, 0, 0, 0);
}

int ftruncate(int file, off_t size) {
  REAL(ftruncate);
  WATCHED(file, real(file, size), TRUNCATE, size, 0, 0);
}

int ftruncate64(int file, off64_t size) {
  REAL(ftruncate64);
  WATCHED(file, real(file, size), TRUNCATE, size, 0, 0);
}

int unlink(const char *path) {
  REAL(unlink);
  if (!is_watched(path)) return real(path);
  pthread_mutex_lock(&lock);
  int result = real(path);
  if (result == 0) record(UNLINK, path, 0, 0, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
