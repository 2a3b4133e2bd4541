/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables of the device's, by their symbols: their own addresses are those of the host's.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_SYMBOLS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_SYMBOLS_H

namespace riffle_lint {
inline cudaError_t check_symbol(size_t has, size_t bytes, size_t offset, cudaMemcpyKind wrong, const call &by) {
    if (by.kind == cudaMemcpyHostToHost || by.kind == wrong)
        return refuse(cudaErrorInvalidMemcpyDirection, by.name, "the direction is not that of a variable of the device's", by.site);
    if (offset <= has && bytes <= has - offset) return cudaSuccess;
    return refuse(cudaErrorInvalidValue, by.name, "more bytes than the variable has", by.site);
}
template <class T> cudaError_t copy_to_symbol(const T &symbol, const void *from, size_t bytes, size_t offset, const call &by) {
    const cudaError_t error = check_symbol(sizeof symbol, bytes, offset, cudaMemcpyDeviceToHost, by);
    return error != cudaSuccess ? error : copy((char *)&symbol + offset, from, bytes, by);
}
template <class T> cudaError_t copy_from_symbol(void *to, const T &symbol, size_t bytes, size_t offset, const call &by) {
    const cudaError_t error = check_symbol(sizeof symbol, bytes, offset, cudaMemcpyHostToDevice, by);
    return error != cudaSuccess ? error : copy(to, (const char *)&symbol + offset, bytes, by);
}
} // namespace riffle_lint
template <class T>
RIFFLE_CALL cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return riffle_lint::copy_to_symbol(symbol, from, bytes, offset, {"cudaMemcpyToSymbol", RIFFLE_SITE, kind});
}
template <class T>
RIFFLE_CALL cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return riffle_lint::copy_from_symbol(to, symbol, bytes, offset, {"cudaMemcpyFromSymbol", RIFFLE_SITE, kind});
}
template <class T>
RIFFLE_CALL cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t = 0) {
    return riffle_lint::copy_to_symbol(symbol, from, bytes, offset, {"cudaMemcpyToSymbolAsync", RIFFLE_SITE, kind});
}
template <class T>
RIFFLE_CALL cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t = 0) {
    return riffle_lint::copy_from_symbol(to, symbol, bytes, offset, {"cudaMemcpyFromSymbolAsync", RIFFLE_SITE, kind});
}
template <class Out, class T> cudaError_t cudaGetSymbolAddress(Out **out, const T &symbol) {
    *out = (Out *)&symbol;
    return cudaSuccess;
}
template <class T> cudaError_t cudaGetSymbolSize(size_t *out, const T &symbol) {
    *out = sizeof symbol;
    return cudaSuccess;
}

#endif
