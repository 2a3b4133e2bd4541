/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters of blocks: where a block is in its own, their barrier, and addresses in shared memory of another block's. Such an address is one of the
 * machine's windows on the other block's memory, so that plain loads, stores and atomics take it.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_CLUSTER_H
#define RIFFLE_MACHINE_DEVICE_CUDA_CLUSTER_H

namespace riffle_lint {
#define RIFFLE_CLUSTER RIFFLE_INLINE __attribute__((no_sanitize_thread))
RIFFLE_CLUSTER dim3 cluster_shape() {
    const machine_index shape = riffle_lint_cluster_shape();
    return dim3(shape.x, shape.y, shape.z);
}
RIFFLE_CLUSTER unsigned cluster_size() {
    const dim3 shape = cluster_shape();
    return shape.x * shape.y * shape.z;
}
RIFFLE_CLUSTER dim3 place_in_cluster() {
    const dim3 shape = cluster_shape();
    return dim3(blockIdx.x % shape.x, blockIdx.y % shape.y, blockIdx.z % shape.z);
}
RIFFLE_CLUSTER unsigned rank_in_cluster() {
    const dim3 shape = cluster_shape(), at = place_in_cluster();
    return (at.z * shape.y + at.y) * shape.x + at.x;
}
RIFFLE_CLUSTER dim3 cluster_index() {
    const dim3 shape = cluster_shape();
    return dim3(blockIdx.x / shape.x, blockIdx.y / shape.y, blockIdx.z / shape.z);
}
RIFFLE_CLUSTER dim3 grid_in_clusters() {
    const dim3 shape = cluster_shape();
    return dim3(gridDim.x / shape.x, gridDim.y / shape.y, gridDim.z / shape.z);
}
} // namespace riffle_lint

RIFFLE_CLUSTER dim3 __clusterDim() { return riffle_lint::cluster_shape(); }
RIFFLE_CLUSTER dim3 __clusterRelativeBlockIdx() { return riffle_lint::place_in_cluster(); }
RIFFLE_CLUSTER dim3 __clusterGridDimInClusters() { return riffle_lint::grid_in_clusters(); }
RIFFLE_CLUSTER dim3 __clusterIdx() { return riffle_lint::cluster_index(); }
RIFFLE_CLUSTER unsigned __clusterRelativeBlockRank() { return riffle_lint::rank_in_cluster(); }
RIFFLE_CLUSTER unsigned __clusterSizeInBlocks() { return riffle_lint::cluster_size(); }
RIFFLE_CLUSTER unsigned __clusterDimIsSpecified() { return riffle_lint::cluster_size() > 1; }
static inline RIFFLE_DEVICE void __cluster_barrier_arrive() { riffle_lint_cluster_arrive(0, RIFFLE_SITE); }
static inline RIFFLE_DEVICE void __cluster_barrier_arrive_relaxed() { riffle_lint_cluster_arrive(1, RIFFLE_SITE); }
static inline RIFFLE_DEVICE void __cluster_barrier_wait() { riffle_lint_cluster_wait(RIFFLE_SITE); }
template <class T> RIFFLE_DEVICE T *__cluster_map_shared_rank(T *at, unsigned rank) {
    return (T *)riffle_lint_cluster_peer((const void *)at, rank, RIFFLE_SITE);
}
RIFFLE_CLUSTER unsigned __cluster_query_shared_rank(const void *at) { return riffle_lint_cluster_rank_of(at); }

#endif
