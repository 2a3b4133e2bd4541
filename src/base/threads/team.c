/* SPDX-License-Identifier: Apache-2.0 */
#include "base/threads/team.h"

#include <omp.h>

void team_run_together(unsigned threads, team_work *work, const void *context) {
#pragma omp parallel num_threads((int)threads)
    work(context, (team_member){(unsigned)omp_get_thread_num(), (unsigned)omp_get_num_threads()});
}
