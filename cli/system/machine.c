/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sysconf */
#include "system/machine.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void machine_cpu(char *name, size_t capacity) {
    snprintf(name, capacity, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL) return;
    char line[512];
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "model name", strlen("model name")) != 0) continue;
        const char *value = strchr(line, ':');
        if (value == NULL) continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(name, capacity, "%s", value + 1 + strspn(value + 1, " "));
        break;
    }
    fclose(file);
}

long machine_cores(void) { return sysconf(_SC_NPROCESSORS_ONLN); }

int machine_threads(void) { return omp_get_max_threads(); }

/* The file reads "always [madvise] never": the choice stands in brackets. */
void machine_huge_pages(char *setting, size_t capacity) {
    snprintf(setting, capacity, "unknown");
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (file == NULL) return;
    char line[128] = "", chosen[32];
    if (fgets(line, sizeof line, file) != NULL && sscanf(line, "%*[^[][%31[^]]", chosen) == 1)
        snprintf(setting, capacity, "%s", chosen);
    else if (sscanf(line, "[%31[^]]", chosen) == 1)
        snprintf(setting, capacity, "%s", chosen);
    fclose(file);
}

riffle_status machine_try_engine(riffle_engine engine) {
    riffle_perm *perm = NULL;
    riffle_plan *plan = NULL;
    riffle_status status = riffle_perm_identity(1, &perm);
    if (status == RIFFLE_OK) status = riffle_plan_create(perm, sizeof(float), engine, NULL, &plan);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
    return status;
}
