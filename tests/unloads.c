/* SPDX-License-Identifier: Apache-2.0
 *
 * unloads OBJECT OTHER: loads two objects with thread-local variables, as `riffle lint` does with kernels,
 * unloads the first, and ends. LeakSanitizer, which looks for pointers at the end, must not look for them in
 * variables that are gone.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef char *variables(void);

#ifdef OBJECT

variables variables_of_object;

/* Large enough to have memory of their own, which goes back to the system when it is freed. */
static _Thread_local char bytes[1 << 20];
char *variables_of_object(void) { return bytes; }

#else

/* Freed memory is not kept to find those who use it. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "quarantine_size_mb=0"; }

static void *load(const char *path, variables **out) {
    void *object = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    void *found = object != NULL ? dlsym(object, "variables_of_object") : NULL;
    if (found == NULL) fprintf(stderr, "%s\n", dlerror());
    memcpy(out, &found, sizeof found);
    return found != NULL ? object : NULL;
}

int main(int count, char **arguments) {
    variables *goes, *stays;
    if (count != 3) return 1;
    void *object = load(arguments[1], &goes);
    if (object == NULL || load(arguments[2], &stays) == NULL) return 1;
    goes()[0] = stays()[0] = 1;
    if (dlclose(object) != 0) return 1;
    stays()[0] = 2; /* only now are the other's freed */
    return 0;
}

#endif
