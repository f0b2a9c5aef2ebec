/* Makes the disk and the clock of a program fail on demand. It is loaded before the C library (LD_PRELOAD).
 *
 * FAULT_FOLDER  writes and syncs of files below this folder count, from when the order is there
 * FAULT_ORDER   a file with "AT ERRNO TIMES": so many operations fail from the AT-th on; removed: no more do
 * FAULT_CLOCK   a file with the seconds that the time of day is ahead
 *
 * The first failure is told in FAULT_ORDER with ".done" behind it. Where AT is 4294967295 nothing fails, and how many operations
 * there were stands in FAULT_ORDER with ".count" behind it. Half of what a failing write was given is written. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static atomic_long operations;

static void *original(const char *name) { return dlsym(RTLD_NEXT, name); }

static int is_counted(int file) {
    const char *folder = getenv("FAULT_FOLDER");
    char link[64], path[4096];
    if (folder == NULL) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    return length > 0 && strncmp(path, folder, strlen(folder)) == 0;
}

static void tell(const char *order, const char *what, int file, long at) {
    char path[4096], link[64], target[4096], text[8448];
    snprintf(path, sizeof path, "%s.done", order);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    int done = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (done < 0) return;
    int count = snprintf(text, sizeof text, "%s %ld %s\n", what, at, target);
    ssize_t (*real)(int, const void *, size_t) = original("write");
    if (real(done, text, (size_t)count) < 0) { /* Then nobody is told. */ }
    close(done);
}

static void tell_count(const char *order, long number) {
    char path[4096], text[32];
    snprintf(path, sizeof path, "%s.count", order);
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (file < 0) return;
    int count = snprintf(text, sizeof text, "%ld\n", number);
    ssize_t (*real)(int, const void *, size_t) = original("write");
    if (real(file, text, (size_t)count) < 0) { /* Then nobody is told. */ }
    close(file);
}

/* The error that this operation fails with, or 0. */
static int failure(const char *what, int file) {
    const char *order = getenv("FAULT_ORDER");
    int before = errno, error = 0;
    if (order != NULL && is_counted(file)) {
        FILE *asked = fopen(order, "re");
        long at, times;
        if (asked != NULL) {
            if (fscanf(asked, "%ld %d %ld", &at, &error, &times) == 3) {
                long number = atomic_fetch_add(&operations, 1) + 1;
                if (number < at || number >= at + times) error = 0;
                if (at == 4294967295) tell_count(order, number);
                if (error != 0) tell(order, what, file, number);
            } else {
                error = 0;
            }
            fclose(asked);
        }
    }
    errno = before;
    return error;
}

ssize_t write(int file, const void *bytes, size_t count) {
    ssize_t (*real)(int, const void *, size_t) = original("write");
    int error = failure("write", file);
    if (error == 0) return real(file, bytes, count);
    if (real(file, bytes, count / 2) < 0) return -1;
    errno = error;
    return -1;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
    ssize_t (*real)(int, const void *, size_t, off64_t) = original("pwrite64");
    int error = failure("write", file);
    if (error == 0) return real(file, bytes, count, at);
    if (real(file, bytes, count / 2, at) < 0) return -1;
    errno = error;
    return -1;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { return pwrite64(file, bytes, count, at); }

int fsync(int file) {
    int (*real)(int) = original("fsync");
    int error = failure("sync", file);
    if (error == 0) return real(file);
    errno = error;
    return -1;
}

int fdatasync(int file) {
    int (*real)(int) = original("fdatasync");
    int error = failure("sync", file);
    if (error == 0) return real(file);
    errno = error;
    return -1;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int (*real)(clockid_t, struct timespec *) = original("clock_gettime");
    int ended = real(clock, time);
    const char *path = getenv("FAULT_CLOCK");
    if (ended != 0 || clock != CLOCK_REALTIME || path == NULL) return ended;
    int before = errno, file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        char text[32] = {0};
        if (read(file, text, sizeof text - 1) > 0) time->tv_sec += atoll(text);
        close(file);
    }
    errno = before;
    return ended;
}
