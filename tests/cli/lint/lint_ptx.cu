/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX beside what it is in C++: the program says which results differ.
 */
#include <cstdint>
#include <cstdio>

enum { RESULTS = 48 };

__device__ __forceinline__ unsigned lane() {
    unsigned id;
    asm("mov.u32 %0, %laneid;" : "=r"(id));
    return id;
}

__global__ void numbers(unsigned *got, unsigned *want, unsigned a, unsigned b, float f) {
    int k = 0;
    const auto check = [&](unsigned is, unsigned should) {
        got[k] = is;
        want[k++] = should;
    };
    unsigned d, e;
    int i;
    float g, h;
    double w = 1.5;
    unsigned long long wide = 0x123456789abcdef0ull;
    asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    check(d, a + b);
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(7));
    check(d, a ^ b ^ 7);
    asm("{\n\t.reg .u32 t, %%u;\n\t// between\n\tmul.lo.u32 t, %1, %2;\n\tadd.u32 %%u, t, 5;\n\tmov.u32 %0, %%u;\n\t}" : "=r"(d) : "r"(a), "r"(b));
    check(d, a * b + 5);
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    check(d, __umulhi(a, b));
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(wide) : "r"(a), "r"(b), "l"(wide));
    check((unsigned)(wide >> 32), (unsigned)((0x123456789abcdef0ull + (unsigned long long)a * b) >> 32));
    asm volatile("mov.b64 {%0, %1}, %2;" : "=r"(d), "=r"(e) : "l"(wide));
    check(d ^ e, (unsigned)wide ^ (unsigned)(wide >> 32));
    asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"(3), "r"(4));
    check((unsigned)(wide >> 30), 16);
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(d) : "r"(a));
    check(d, a >> 4 & 255);
    asm("bfe.s32 %0, %1, 28, 4;" : "=r"(i) : "r"(a));
    check(i, (int)a >> 28);
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(d) : "r"(a), "r"(b));
    check(d, (b & ~0xf00u) | (a & 15) << 8);
    asm("brev.b32 %0, %1;" : "=r"(d) : "r"(a));
    check(d, __brev(a));
    asm("clz.b32 %0, %1;" : "=r"(d) : "r"(b));
    check(d, __clz(b));
    asm("popc.b32 %0, %1;" : "=r"(d) : "r"(a));
    check(d, __popc(a));
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(d) : "r"(a), "r"(b));
    check(d, (a & 0xffff) | b << 16);
    asm("shf.l.wrap.b32 %0, %1, %2, 9;" : "=r"(d) : "r"(a), "r"(b));
    check(d, __funnelshift_l(a, b, 9));
    asm("shr.s32 %0, %1, 40;" : "=r"(i) : "r"(a));
    check(i, (int)a < 0 ? -1 : 0);
    asm("shl.b32 %0, %1, 40;" : "=r"(d) : "r"(a));
    check(d, 0);
    asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(i) : "r"(0xff000002u), "r"(0x02000003u), "r"(10));
    check(i, 10 - 2 + 6);
    asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, 11, 22, p; @p add.u32 %0, %0, 1; @!p add.u32 %0, %0, 2; }" : "=r"(d) : "r"(a), "r"(b));
    check(d, (int)a < (int)b ? 12 : 24);
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0;" : "=r"(d), "=r"(e) : "r"(0xffffffffu), "r"(b));
    check(e, 1);
    asm("fma.rn.f32 %0, %1, %1, 0f3F800000;" : "=f"(g) : "f"(f));
    check(__float_as_uint(g), __float_as_uint(fmaf(f, f, 1)));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(g) : "f"(3.f));
    check(g, 8);
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(g) : "r"(-5));
    check((int)g, -5);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.75f));
    check(i, -2);
    asm("cvt.rni.u32.f64 %0, %1;" : "=r"(d) : "d"(w));
    check(d, 2);
    asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(d) : "f"(-1.f));
    check(d, 0);
    asm("mov.b32 %0, %1;" : "=r"(d) : "f"(f));
    check(d, __float_as_uint(f));
    asm("max.f32 %0, %1, %2;" : "=f"(h) : "f"(f), "f"(-1.f));
    check(__float_as_uint(h), __float_as_uint(f));
    asm("bfind.u32 %0, %1;" : "=r"(d) : "r"(a));
    check(d, 31);
    asm("bfind.s32 %0, %1;" : "=r"(d) : "r"(a));
    check(d, 29);
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(d) : "r"(b));
    check(d, __clz(b));
    asm("bfind.u64 %0, %1;" : "=r"(d) : "l"(0ull));
    check(d, ~0u);
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(d) : "r"(4), "r"(40));
    check(d, 0xfffffff0u);
    asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(d) : "r"(36), "r"(35));
    check(d, 0x70);
    e = b;
    asm("add.u32 %0, %0, 1;" : "+r"(e));
    check(e, b + 1);
    asm("sub.s32 %0, %0, %2;" : "=r"(i) : "0"(30), "r"(4));
    check(i, 26);
}

/* A row of 128 bytes by float4, through shared memory and back; each line is one access. */
__global__ void memory(const float4 *in, float *out, unsigned *sum) {
    __shared__ float tile[128];
    const unsigned at = (unsigned)__cvta_generic_to_shared(tile) + 16 * threadIdx.x;
    float4 v;
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(in + threadIdx.x));
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(at), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
    asm volatile("bar.sync 0;");
    float mine;
    asm volatile("ld.shared.f32 %0, [%1+4];" : "=f"(mine) : "r"(at));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(in + threadIdx.x));
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;\n" ::: "memory");
    __syncthreads();
    unsigned from, votes;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(from) : "r"(lane()));
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(votes) : "r"(lane() & 1));
    asm volatile("st.global.f32 [%0], %1;" ::"l"(out + threadIdx.x), "f"(mine + tile[4 * threadIdx.x + 1]));
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(sum), "r"(from + (votes == 0xaaaaaaaa)));
    if (votes == 5) asm("trap;");
}

/* Lanes that shfl reads, and that are told to be none of those that exchange, for halves of a warp and all directions. */
__global__ void lanes(unsigned *got) {
    const int mine = lane() & 15;
    unsigned d[4], in[4];
    asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 3, 0x1000, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(d[0]), "=r"(in[0]) : "r"(lane()));
    asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 3, 0x100f, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(d[1]), "=r"(in[1]) : "r"(lane()));
    asm volatile("{ .reg .pred p; shfl.sync.bfly.b32 %0|p, %2, 16, 0x100f, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(d[2]), "=r"(in[2]) : "r"(lane()));
    asm volatile("{ .reg .pred p; shfl.sync.idx.b32 %0|p, %2, 5, 0x1f, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(d[3]), "=r"(in[3]) : "r"(lane()));
    const bool right = in[0] == (mine >= 3) && d[0] == lane() - (mine >= 3 ? 3 : 0) && in[1] == (mine < 13) &&
                       d[1] == lane() + (mine < 13 ? 3 : 0) && in[2] == (lane() >= 16) && in[3] == 1 && d[3] == 5;
    got[threadIdx.x] = right;
}

/* Odd threads leave at once, and the last of four a call deeper; the others meet all the same. */
__device__ __noinline__ void leave_if(bool leaves) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p exit; }" ::"r"((unsigned)leaves));
}
__global__ void leaving(unsigned *got) {
    got[threadIdx.x] = 1;
    if (threadIdx.x & 1) asm volatile("exit;");
    leave_if(threadIdx.x == 30);
    got[threadIdx.x] = 2 + (__activemask() == 0x15555555u);
}

int main() {
    unsigned *got, *want, *sum;
    float *in, *out;
    cudaMallocManaged(&got, RESULTS * sizeof *got);
    cudaMallocManaged(&want, RESULTS * sizeof *want);
    cudaMallocManaged(&sum, sizeof *sum);
    cudaMallocManaged(&in, 128 * sizeof *in);
    cudaMallocManaged(&out, 32 * sizeof *out);
    for (int k = 0; k < 128; k++) in[k] = k;
    *sum = 0;
    numbers<<<1, 1>>>(got, want, 0xdeadbeef, 0x1234567, 2.5f);
    int wrong = 0;
    for (int k = 0; k < RESULTS; k++)
        if (got[k] != want[k]) fprintf(stderr, "%d: %x for %x\n", k, got[k], want[k]), wrong++;
    lanes<<<1, 32>>>(got);
    for (int k = 0; k < 32; k++)
        if (got[k] != 1) fprintf(stderr, "lane %d\n", k), wrong++;
    leaving<<<1, 32>>>(got);
    for (unsigned k = 0; k < 32; k++)
        if (got[k] != (k % 2 != 0 || k == 30 ? 1u : 3u)) fprintf(stderr, "thread %u: %u\n", k, got[k]), wrong++;
    memory<<<1, 32>>>((const float4 *)in, out, sum);
    for (int k = 0; k < 32; k++) wrong += out[k] != 2 * (4 * k + 1);
    if (*sum != 31 * 16 + 32) fprintf(stderr, "sum %u\n", *sum), wrong++;
    return wrong;
}
