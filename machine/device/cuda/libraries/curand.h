/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers in the place of cuRAND's, for kernels and for the host: of the same distributions, with states of the same
 * sizes, but not the same numbers.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_CURAND_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_CURAND_H

#include "device.h"

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999,
} curandStatus_t;
typedef enum curandRngType {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204,
} curandRngType_t;
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
    CURAND_ORDERING_QUASI_DEFAULT = 201,
} curandOrdering_t;

namespace riffle_lint {
/* Splitmix: a counter, well mixed. */
inline unsigned long long next_random(unsigned long long &state) {
    unsigned long long z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
template <unsigned WORDS> struct random_state {
    unsigned long long counter;
    unsigned rest[WORDS - 2]; /* read where a kernel copies a state */
};
inline float uniform_float(unsigned bits) { return ((float)(bits >> 8) + 1) * 0x1p-24f; }
inline double uniform_double(unsigned long long bits) { return ((double)(bits >> 11) + 1) * 0x1p-53; }
} // namespace riffle_lint

typedef riffle_lint::random_state<12> curandStateXORWOW_t;
typedef riffle_lint::random_state<16> curandStatePhilox4_32_10_t;
typedef riffle_lint::random_state<18> curandStateMRG32k3a_t;
typedef curandStateXORWOW_t curandStateXORWOW, curandState_t, curandState;
typedef curandStatePhilox4_32_10_t curandStatePhilox4_32_10;
typedef curandStateMRG32k3a_t curandStateMRG32k3a;

template <unsigned W>
void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, riffle_lint::random_state<W> *s) {
    unsigned long long mixed = seed;
    mixed = riffle_lint::next_random(mixed) + sequence;
    mixed = riffle_lint::next_random(mixed);
    *s = {mixed + offset * 0x9e3779b97f4a7c15ull, {}};
}
template <unsigned W> void skipahead(unsigned long long by, riffle_lint::random_state<W> *s) {
    s->counter += by * 0x9e3779b97f4a7c15ull;
}
/* Stretches of a generator's numbers that are far apart: cuRAND's lie 2^67 and 2^64 from each other. */
template <unsigned W> void skipahead_sequence(unsigned long long by, riffle_lint::random_state<W> *s) { s->counter ^= by * 0xd1342543de82ef95ull; }
template <unsigned W> void skipahead_subsequence(unsigned long long by, riffle_lint::random_state<W> *s) { s->counter ^= by * 0xaf251af3b0f025b5ull; }
template <unsigned W> unsigned curand(riffle_lint::random_state<W> *s) { return (unsigned)(riffle_lint::next_random(s->counter) >> 32); }
template <unsigned W> uint4 curand4(riffle_lint::random_state<W> *s) { return make_uint4(curand(s), curand(s), curand(s), curand(s)); }
template <unsigned W> float curand_uniform(riffle_lint::random_state<W> *s) { return riffle_lint::uniform_float(curand(s)); }
template <unsigned W> double curand_uniform_double(riffle_lint::random_state<W> *s) {
    return riffle_lint::uniform_double(riffle_lint::next_random(s->counter));
}
template <unsigned W> float4 curand_uniform4(riffle_lint::random_state<W> *s) {
    return make_float4(curand_uniform(s), curand_uniform(s), curand_uniform(s), curand_uniform(s));
}
template <unsigned W> double2 curand_uniform2_double(riffle_lint::random_state<W> *s) { return make_double2(curand_uniform_double(s), curand_uniform_double(s)); }
template <unsigned W> double2 curand_normal2_double(riffle_lint::random_state<W> *s) {
    const double r = sqrt(-2 * log(curand_uniform_double(s))), angle = 2 * CUDART_PI * curand_uniform_double(s);
    return make_double2(r * sin(angle), r * cos(angle));
}
template <unsigned W> double curand_normal_double(riffle_lint::random_state<W> *s) { return curand_normal2_double(s).x; }
template <unsigned W> float2 curand_normal2(riffle_lint::random_state<W> *s) {
    const double2 both = curand_normal2_double(s);
    return make_float2((float)both.x, (float)both.y);
}
template <unsigned W> float curand_normal(riffle_lint::random_state<W> *s) { return (float)curand_normal_double(s); }
template <unsigned W> float4 curand_normal4(riffle_lint::random_state<W> *s) {
    return make_float4(curand_normal(s), curand_normal(s), curand_normal(s), curand_normal(s));
}
template <unsigned W> float curand_log_normal(riffle_lint::random_state<W> *s, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(s));
}
template <unsigned W> float2 curand_log_normal2(riffle_lint::random_state<W> *s, float mean, float deviation) {
    return make_float2(curand_log_normal(s, mean, deviation), curand_log_normal(s, mean, deviation));
}
template <unsigned W> float4 curand_log_normal4(riffle_lint::random_state<W> *s, float mean, float deviation) {
    const float2 two = curand_log_normal2(s, mean, deviation), more = curand_log_normal2(s, mean, deviation);
    return make_float4(two.x, two.y, more.x, more.y);
}
template <unsigned W> double curand_log_normal_double(riffle_lint::random_state<W> *s, double mean, double deviation) {
    return exp(mean + deviation * curand_normal_double(s));
}
template <unsigned W> double2 curand_log_normal2_double(riffle_lint::random_state<W> *s, double mean, double deviation) {
    return make_double2(curand_log_normal_double(s, mean, deviation), curand_log_normal_double(s, mean, deviation));
}
template <unsigned W> unsigned curand_poisson(riffle_lint::random_state<W> *s, double lambda) {
    const double limit = exp(-lambda);
    unsigned count = 0;
    for (double product = curand_uniform_double(s); product > limit; product *= curand_uniform_double(s)) count++;
    return count;
}
template <unsigned W> uint4 curand_poisson4(riffle_lint::random_state<W> *s, double lambda) {
    return make_uint4(curand_poisson(s, lambda), curand_poisson(s, lambda), curand_poisson(s, lambda), curand_poisson(s, lambda));
}

/* ---- the host's generators, which fill arrays at once */

typedef struct curandGenerator_st {
    riffle_lint::random_state<12> state;
} *curandGenerator_t;
inline curandStatus_t curandCreateGenerator(curandGenerator_t *out, curandRngType_t) {
    *out = new curandGenerator_st{{0, {}}};
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *out, curandRngType_t type) { return curandCreateGenerator(out, type); }
inline curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
    delete g;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
    curand_init(seed, 0, 0, &g->state);
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t, unsigned long long) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t, unsigned) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t) { return CURAND_STATUS_SUCCESS; }

namespace riffle_lint {
template <class T, class One> curandStatus_t fill_random(T *to, size_t count, One one) {
    if (!riffle_lint_host.holds(to, count * sizeof(T))) return CURAND_STATUS_LAUNCH_FAILURE;
    for (size_t k = 0; k < count; k++) to[k] = one();
    riffle_lint_host.written(to, count * sizeof(T));
    return CURAND_STATUS_SUCCESS;
}
} // namespace riffle_lint
inline curandStatus_t curandGenerate(curandGenerator_t g, unsigned *to, size_t count) {
    return riffle_lint::fill_random(to, count, [g] { return curand(&g->state); });
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t g, float *to, size_t count) {
    return riffle_lint::fill_random(to, count, [g] { return curand_uniform(&g->state); });
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *to, size_t count) {
    return riffle_lint::fill_random(to, count, [g] { return curand_uniform_double(&g->state); });
}
inline curandStatus_t curandGenerateNormal(curandGenerator_t g, float *to, size_t count, float mean, float deviation) {
    return riffle_lint::fill_random(to, count, [=] { return mean + deviation * curand_normal(&g->state); });
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *to, size_t count, double mean, double deviation) {
    return riffle_lint::fill_random(to, count, [=] { return mean + deviation * curand_normal_double(&g->state); });
}

inline curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *to, size_t count, float mean, float deviation) {
    return riffle_lint::fill_random(to, count, [=] { return curand_log_normal(&g->state, mean, deviation); });
}
inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *to, size_t count, double mean, double deviation) {
    return riffle_lint::fill_random(to, count, [=] { return curand_log_normal_double(&g->state, mean, deviation); });
}
inline curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned *to, size_t count, double lambda) {
    return riffle_lint::fill_random(to, count, [=] { return curand_poisson(&g->state, lambda); });
}
inline curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *to, size_t count) {
    return riffle_lint::fill_random(to, count, [g] { return riffle_lint::next_random(g->state.counter); });
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandGetVersion(int *out) {
    *out = CUDART_VERSION;
    return CURAND_STATUS_SUCCESS;
}

#define RIFFLE_NO_CURAND(name) RIFFLE_NOT_SUPPLIED(curandStatus_t, name, #name ": not supplied of cuRAND", CURAND_STATUS_INTERNAL_ERROR)
RIFFLE_NO_CURAND(curandCreatePoissonDistribution)
RIFFLE_NO_CURAND(curandDestroyDistribution)
RIFFLE_NO_CURAND(curandGenerateBinomial)
RIFFLE_NO_CURAND(curandGetDirectionVectors32)
RIFFLE_NO_CURAND(curandGetDirectionVectors64)
RIFFLE_NO_CURAND(curandGetScrambleConstants32)
RIFFLE_NO_CURAND(curandGetScrambleConstants64)
#undef RIFFLE_NO_CURAND

#endif
