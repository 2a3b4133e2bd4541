#include <riffle.h>
#include <stdio.h>

int main(void) {
    float in[8] = {0, 1, 2, 3, 4, 5, 6, 7}, out[8];
    riffle_perm *perm = NULL;
    riffle_plan *plan = NULL;
    if (riffle_perm_bit_reversal(8, &perm) ||
        riffle_plan_create(perm, sizeof *in, RIFFLE_ENGINE_CPU, NULL, &plan) || riffle_execute(plan, out, in))
        return fprintf(stderr, "%s\n", riffle_error_detail()), 1;
    for (int i = 0; i < 8; i++) printf(i < 7 ? "%g " : "%g\n", (double)out[i]); // 0 4 2 6 1 5 3 7
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}
