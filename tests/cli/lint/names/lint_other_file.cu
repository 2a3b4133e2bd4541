/* SPDX-License-Identifier: Apache-2.0
 *
 * One file of a program: the class that it derives from, and variables that its host code reads, are another's.
 */
#include <cstdio>

struct potential {
    virtual ~potential();
    virtual void compute(int *out) = 0;
};
struct embedded_atom : potential {
    void compute(int *out) override;
};
extern int verbose;
extern int table[4];

__global__ void write(int *out) { out[threadIdx.x] = threadIdx.x; }

void embedded_atom::compute(int *out) {
    if (verbose) printf("%d\n", table[0]);
    write<<<1, 32>>>(out);
}

#ifdef CONSTRUCTOR
void enroll(potential *);
struct enrolled {
    enrolled() { enroll(nullptr); }
} before_main;
#endif
#ifdef MAIN
int main() {
    int *out;
    cudaMalloc(&out, 128);
    embedded_atom().compute(out);
}
#endif
#ifdef OTHER
potential::~potential() {}
int verbose = 1, table[4] = {5};
#endif
