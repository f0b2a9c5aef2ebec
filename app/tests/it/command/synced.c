/* Notes the writes and syncs of a program, in their order. It is loaded before the C library (LD_PRELOAD).
 *
 * NOTED_FOLDER  what is done with files below this folder, and with the folder itself, is noted
 * NOTED_IN      the file that gets a line for each: "write PATH", before it is done, or "sync PATH", once it was done */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static void *original(const char *name) { return dlsym(RTLD_NEXT, name); }

static void note(const char *what, int file) {
    const char *folder = getenv("NOTED_FOLDER"), *in = getenv("NOTED_IN");
    char link[64], path[4096], line[4200];
    int before = errno;
    if (folder == NULL || in == NULL) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length > 0) {
        path[length] = 0;
        if (strncmp(path, folder, strlen(folder)) == 0) {
            int count = snprintf(line, sizeof line, "%s %s\n", what, path);
            int to = open(in, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
            if (to >= 0) {
                /* Not `write`, which would be noted. */
                syscall(SYS_write, to, line, (size_t)count);
                close(to);
            }
        }
    }
    errno = before;
}

ssize_t write(int file, const void *bytes, size_t count) {
    ssize_t (*real)(int, const void *, size_t) = original("write");
    note("write", file);
    return real(file, bytes, count);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
    ssize_t (*real)(int, const void *, size_t, off64_t) = original("pwrite64");
    note("write", file);
    return real(file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { return pwrite64(file, bytes, count, at); }

int fsync(int file) {
    int (*real)(int) = original("fsync");
    int ended = real(file);
    if (ended == 0) note("sync", file);
    return ended;
}

int fdatasync(int file) {
    int (*real)(int) = original("fdatasync");
    int ended = real(file);
    if (ended == 0) note("sync", file);
    return ended;
}
