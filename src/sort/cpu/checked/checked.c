/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/checked/checked.h"

#include "base/arithmetic.h"
#include "base/threads/team.h"
#include "check/check.h"

/* A look at the results, or at the elements that they are made of, where an element's index is its place. */
typedef struct looking {
    const riffle_sort_plan *plan;
    const uint64_t *first;
    const char *elements; /* NULL: there are none */
    const char *tags;     /* values or indices; NULL: none, or places */
    size_t tag_bytes;
    bool are_places;     /* tags are */
    bool are_through;    /* elements lie where tags say */
    sort_before *before; /* NULL: their order is any */
    const void *context;
    check_sums *sums;
    uint64_t *faults;
} looking;

static uint64_t tag_of(const looking *l, uint64_t place) {
    if (l->are_places) return place;
    if (l->tags == NULL) return 0;
    return l->tag_bytes == 4 ? ((const uint32_t *)(const void *)l->tags)[place]
                             : ((const uint64_t *)(const void *)l->tags)[place];
}

/* The element at a place; NULL where there is none. */
static const char *element_of(const looking *l, uint64_t place) {
    const uint64_t at = l->are_through ? tag_of(l, place) : place;
    if (l->elements == NULL || at >= l->plan->n) return NULL;
    return l->elements + at * l->plan->layout.elem_bytes;
}

/* `number` is the segment's; the element is followed by what goes along. */
static void add_number(const looking *l, check_pair number, uint64_t place, check_sums *sums) {
    const char *const element = l->are_through ? NULL : element_of(l, place);
    if (element != NULL) check_take_bytes(&number, element, l->plan->layout.elem_bytes);
    if (l->are_places || l->tags != NULL) check_element_take(&number, tag_of(l, place));
    check_element_end(sums, number);
}

/* True if the place's element may not stand behind the one before it. */
static bool is_wrong(const looking *l, uint64_t place) {
    const char *const ahead = element_of(l, place - 1), *const element = element_of(l, place);
    if (ahead == NULL || element == NULL || l->before(l->context, element, ahead)) return true;
    if (l->plan->index_bytes == 0 || l->before(l->context, ahead, element)) return false;
    return tag_of(l, place) <= tag_of(l, place - 1);
}

static uint64_t segment_of(const looking *l, uint64_t place) {
    if (l->first == NULL) return place / (l->plan->n / l->plan->segments);
    return last_not_above(l->first, l->plan->segments, place);
}

static void look_share(const void *context, team_member me) {
    const looking *const l = context;
    const riffle_sort_plan *const plan = l->plan;
    const bool is_one = plan->task == RIFFLE_SORT_TASK_MERGE;
    const uint64_t start = sort_segment_first(plan, l->first, 0),
                   count = sort_segment_first(plan, l->first, plan->segments) - start;
    const team_share mine = team_share_of(count, me);
    check_sums sums = {0, 0};
    uint64_t faults = 0, segment = mine.first < mine.end && !is_one ? segment_of(l, start + mine.first) : 0;
    for (uint64_t place = start + mine.first; place < start + mine.end; place++) {
        while (!is_one && place >= sort_segment_first(plan, l->first, segment + 1)) segment++;
        add_number(l, check_element_begin(segment), place, &sums);
        const uint64_t begin = is_one ? start : sort_segment_first(plan, l->first, segment);
        if (l->before != NULL && place > begin) faults += is_wrong(l, place);
    }
    __atomic_fetch_add(&l->sums->first, sums.first, __ATOMIC_RELAXED);
    __atomic_fetch_add(l->faults, faults, __ATOMIC_RELAXED);
}

static void look(looking *l, check_sums *sums, uint64_t *faults) {
    *sums = (check_sums){0, 0};
    *faults = 0;
    l->sums = sums;
    l->faults = faults;
    const bool is_alone = l->plan->key.before != NULL; /* a comparing is one thread's */
    team_run(is_alone ? 1 : l->plan->base.threads, look_share, l);
}

check_sums checked_sum(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    check_sums sums;
    uint64_t faults;
    looking l = {.plan = plan,
                 .first = arrays->first,
                 .elements = arrays->keys != NULL ? arrays->from_keys : NULL,
                 .tags = arrays->values != NULL ? arrays->from_values : NULL,
                 .tag_bytes = plan->value_bytes,
                 .are_places = arrays->indices != NULL};
    look(&l, &sums, &faults);
    return sums;
}

riffle_status checked_result(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, check_sums read,
                             sort_before *before, const void *context) {
    const bool are_through = arrays->keys == NULL && arrays->indices != NULL;
    check_sums written;
    uint64_t faults;
    looking l = {.plan = plan,
                 .first = arrays->first,
                 .elements = are_through ? arrays->from_keys : arrays->keys,
                 .tags = arrays->indices != NULL ? arrays->indices : arrays->values,
                 .tag_bytes = plan->index_bytes > 0 ? plan->index_bytes : plan->value_bytes,
                 .are_through = are_through,
                 .before = arrays->keys != NULL || are_through ? before : NULL,
                 .context = context};
    look(&l, &written, &faults);
    return check_result("the sort", read, written, faults);
}
