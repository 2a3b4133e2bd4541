/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and stores with cache hints. The machine has no caches, so the hint changes nothing.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LOADS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LOADS_H

template <class T> RIFFLE_DEVICE T __ldg(const T *address) {
    constexpr unsigned long piece = sizeof(T) > 16 ? 16 : sizeof(T);
    for (unsigned long at = 0; at < sizeof(T); at += piece)
        riffle_lint_access((const char *)address + at, piece, MACHINE_READ, RIFFLE_SITE);
    return *address;
}

template <class T> RIFFLE_DEVICE void __stcs(T *address, riffle_lint::same<T> value) {
    constexpr unsigned long piece = sizeof(T) > 16 ? 16 : sizeof(T);
    for (unsigned long at = 0; at < sizeof(T); at += piece)
        riffle_lint_access((char *)address + at, piece, MACHINE_WRITE, RIFFLE_SITE);
    *address = value;
}

#define __ldca __ldg
#define __ldcg __ldg
#define __ldcs __ldg
#define __ldcv __ldg
#define __ldlu __ldg
#define __stcg __stcs
#define __stwb __stcs
#define __stwt __stcs

#endif
