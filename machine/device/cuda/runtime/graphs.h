/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA graphs: lists of work, done in the order in which it was added. An executable graph is the same list.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_GRAPHS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_GRAPHS_H

struct CUgraph_st {
    riffle_lint::work_list list;
};
typedef CUgraph_st *cudaGraph_t;
typedef CUgraph_st *cudaGraphExec_t;
typedef riffle_lint::work *cudaGraphNode_t;

enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed,
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone,
    cudaStreamCaptureStatusActive,
    cudaStreamCaptureStatusInvalidated,
};
struct cudaKernelNodeParams {
    riffle_lint::function_pointer func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};

namespace riffle_lint {
template <class Step> cudaError_t add_node(cudaGraphNode_t *out, cudaGraph_t graph, Step step) {
    cudaGraphNode_t node = new work_of<Step>(step);
    graph->list.add(node);
    if (out != nullptr) *out = node;
    return cudaSuccess;
}
/* Has what `build` asks for go to the graph's end. */
template <class Build> cudaError_t add_captured(cudaGraphNode_t *out, cudaGraph_t graph, Build build) {
    work_list *before = capture();
    capture() = &graph->list;
    const cudaError_t error = build();
    capture() = before;
    if (out != nullptr) *out = graph->list.last;
    return error;
}
inline cudaError_t fill_elements(const cudaMemsetParams &p) {
    if (p.height == 0 || p.width == 0) return cudaSuccess;
    const size_t all = (p.height - 1) * p.pitch + p.width * p.elementSize;
    if (!riffle_lint_host.holds(p.dst, all)) return note(cudaErrorInvalidValue);
    for (size_t y = 0; y < p.height; y++) {
        char *row = (char *)p.dst + y * p.pitch;
        for (size_t x = 0; x < p.width; x++) __builtin_memcpy(row + x * p.elementSize, &p.value, p.elementSize);
        riffle_lint_host.written(row, p.width * p.elementSize);
    }
    return cudaSuccess;
}
} // namespace riffle_lint

inline cudaError_t cudaGraphCreate(cudaGraph_t *out, unsigned) {
    *out = new CUgraph_st;
    return cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) { return cudaSuccess; }
inline cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t graph) {
    *out = new CUgraph_st;
    return riffle_lint::add_node(nullptr, *out, [graph] { return graph->list.run(); });
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long = 0) {
    *out = graph;
    return cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, cudaGraphNode_t *, char *, size_t) {
    return cudaGraphInstantiate(out, graph);
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long) {
    return cudaGraphInstantiate(out, graph);
}
inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t) {
    return riffle_lint::in_order("cudaGraphLaunch", [graph] { return graph->list.run(); });
}
inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    size_t k = 0;
    for (cudaGraphNode_t one = graph->list.first; nodes != nullptr && one != nullptr && k < *count; one = one->next) nodes[k++] = one;
    *count = graph->list.count;
    return cudaSuccess;
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *, size_t) {
    return cudaSuccess;
}
inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *, size_t) {
    return riffle_lint::add_node(out, graph, [] { return cudaSuccess; });
}
inline cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *, size_t,
                                              cudaGraph_t child) {
    return riffle_lint::add_node(out, graph, [child] { return child->list.run(); });
}
inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *, size_t,
                                          const cudaKernelNodeParams *p) {
    return riffle_lint::add_captured(out, graph, [p] {
        return cudaLaunchKernel(p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes);
    });
}
inline cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *, size_t,
                                          const cudaMemsetParams *p) {
    const cudaMemsetParams kept = *p;
    return riffle_lint::add_node(out, graph, [kept] { return riffle_lint::fill_elements(kept); });
}
inline cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *, size_t,
                                        const cudaHostNodeParams *p) {
    const cudaHostNodeParams kept = *p;
    return riffle_lint::add_node(out, graph, [kept] {
        kept.fn(kept.userData);
        return cudaSuccess;
    });
}
inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *, size_t, void *to,
                                            const void *from, size_t bytes, cudaMemcpyKind) {
    return riffle_lint::add_node(out, graph, [=] { return riffle_lint::copy_now(to, from, bytes); });
}

inline cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode = cudaStreamCaptureModeGlobal) {
    if (riffle_lint::capture() != nullptr) return riffle_lint::note(cudaErrorStreamCaptureUnsupported);
    riffle_lint::capture() = &(new CUgraph_st)->list;
    return cudaSuccess;
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *out) {
    if (riffle_lint::capture() == nullptr) return riffle_lint::note(cudaErrorStreamCaptureUnsupported);
    *out = reinterpret_cast<cudaGraph_t>(riffle_lint::capture()); /* a graph is its list */
    riffle_lint::capture() = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *out) {
    *out = riffle_lint::capture() != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

#endif
