/* SPDX-License-Identifier: Apache-2.0 */
#include "custom/kept.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

typedef struct kept_object {
    struct kept_object *next;
    void *object;
    unsigned users;
    char *compiler, *text;
} kept_object;

static kept_object *kept; /* that was borrowed last first */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *compiler_now(void) {
    const char *const named = getenv("CC");
    return named != NULL ? named : "";
}

static void drop(kept_object *k) {
    if (k->object != NULL) dlclose(k->object);
    free(k->compiler);
    free(k->text);
    free(k);
}

static kept_object *unlinked(kept_object **at) {
    kept_object *const k = *at;
    *at = k->next;
    return k;
}

static void link_first(kept_object *k) {
    k->next = kept;
    kept = k;
}

static kept_object **find(const char *compiler, const char *text) {
    kept_object **at = &kept;
    while (*at != NULL && (strcmp((*at)->compiler, compiler) != 0 || strcmp((*at)->text, text) != 0))
        at = &(*at)->next;
    return at;
}

static void drop_oldest(void) {
    unsigned unused = 0;
    for (kept_object **at = &kept; *at != NULL;) {
        if ((*at)->users == 0 && ++unused > OWN_KEPT)
            drop(unlinked(at));
        else
            at = &(*at)->next;
    }
}

static bool borrow_kept(const char *text, void **object) {
    pthread_mutex_lock(&lock);
    kept_object **const at = find(compiler_now(), text);
    const bool found = *at != NULL;
    if (found) {
        link_first(unlinked(at));
        kept->users++;
        *object = kept->object;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

riffle_status own_borrow(const char *text, size_t length, own_refusal *refuse, const void *context,
                         void **object) {
    if (borrow_kept(text, object)) return RIFFLE_OK;
    kept_object *const k = calloc(1, sizeof *k);
    if (k == NULL) return fail_memory("an object of users' operations", sizeof *k);
    *k = (kept_object){.users = 1, .compiler = strdup(compiler_now()), .text = strdup(text)};
    riffle_status status = k->compiler != NULL && k->text != NULL
                               ? own_compile(text, length, refuse, context, &k->object)
                               : fail_memory("the text of users' operations", length);
    if (status != RIFFLE_OK) {
        drop(k);
        return status;
    }
    *object = k->object;
    pthread_mutex_lock(&lock);
    link_first(k);
    pthread_mutex_unlock(&lock);
    return RIFFLE_OK;
}

void own_release(void *object) {
    if (object == NULL) return;
    pthread_mutex_lock(&lock);
    kept_object *k = kept;
    while (k->object != object) k = k->next;
    k->users--;
    drop_oldest();
    pthread_mutex_unlock(&lock);
}
