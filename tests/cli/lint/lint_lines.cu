/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels whose lines are known: a comment with "= global read 5 of 5" says that a line's reads of global memory take 5 requests where
 * 5 are the fewest. All are of one block, and none has a hazard.
 */

/* Each turn of the loop reads one element, whichever lanes do. */
__global__ void turns(float *out, const float *x) {
    float s = 0;
    for (int b = 0; b < 5; b++)
        if (threadIdx.x >> b & 1)
            s += x[b * 32]; //= global read 5 of 5
    out[threadIdx.x] = s;   //= global write 4 of 4
}

__global__ void skips(float *out, const float *x) {
    float s = 0;
    for (int b = 0; b < 8; b++) {
        if ((b + threadIdx.x) % 3 == 0) continue;
        s += x[b * 32];   //= global read 8 of 8
    }
    out[threadIdx.x] = s; //= global write 4 of 4
}

__device__ __noinline__ float get(const float *x, int b) {
    return x[b * 32]; //= global read 8 of 8
}
__global__ void calls(float *out, const float *x) {
    float s = 0;
    for (int b = 0; b < 8; b++)
        if (threadIdx.x >> b % 5 & 1) s += get(x, b);
    out[threadIdx.x] = s; //= global write 4 of 4
}

/* Rows of different lengths, and who is done with one waits for the others. */
__global__ void rows(float *out, const float *x) {
    float s = 0;
    for (int r = 0; r < 3; r++) {
        for (int j = 0; j < (int)(threadIdx.x + r) % 4; j++)
            s += x[r * 512 + j * 64]; //= global read 9 of 9
        s += x[r * 32];               //= global read 3 of 3
        while (s >= 0) {
            if (threadIdx.x % 2 != 0 && s > 1000) {
                s -= 1000;
                continue;
            }
            s -= x[4 * 32] + 100000; //= global read 3 of 3
        }
        s += 100000;
    }
    out[threadIdx.x] = s; //= global write 4 of 4
}

/* A search that leaves its loop early, and a branch on either side. */
__global__ void search(float *out, const float *x) {
    int at = 0;
    for (; at < 16; at++) {
        if (x[at * 8] >= threadIdx.x / 2 * 8.0f) break; //= global read 16 of 16
    }
    if (at % 2 == 0)
        out[at * 2 + threadIdx.x % 2] = 1; //= global write 4 of 2
    else
        out[at * 2 + threadIdx.x % 2 + 32] = 2; //= global write 4 of 2
}

/* The stores of the loop stay in it, and the one before does not move. */
__global__ void sinks(float *c, float beta) {
    const int row = threadIdx.x;
    if (beta != 1)
        for (int j = 0; j < 4; j++) {
            float v = c[row + 32 * j]; //= global read 16 of 16
            v *= beta;
            c[row + 32 * j] = v; //= global write 16 of 16
        }
    for (int j = 0; j < 4; j++)
        c[row + 32 * j] += 1; //= global read 16 of 16, global write 16 of 16
}

/* A store in each branch, and none of them moves behind it. */
__global__ void branches(float *c, float beta) {
    for (int j = 0; j < 8; j++) {
        float *p = &c[threadIdx.x + 32 * j];
        if (j < 2)
            *p = 0; //= global write 8 of 8
        else
            *p *= beta; //= global read 24 of 24, global write 24 of 24
    }
}

/* Components of one vector are one access, wherever they stand in the block; those of float3 are not, nor is a single one. */
__global__ void components(float *out, const float4 *in, float2 *to) {
    const float4 *p = &in[threadIdx.x];
    float s = in[threadIdx.x].x //= global read 16 of 16
              + in[threadIdx.x].y * p->z + p->w;
    to[threadIdx.x].x = s; //= global write 8 of 8
    to[threadIdx.x].y = 2 * s;
    out[threadIdx.x] = s + in[threadIdx.x + 32].z; //= global read 16 of 4, global write 4 of 4
}

__global__ void threes(float *out, const float3 *in) {
    float s = in[threadIdx.x].x; //= global read 12 of 4
    s += in[threadIdx.x].y;      //= global read 12 of 4
    s -= in[threadIdx.x].z;      //= global read 12 of 4
    out[threadIdx.x] = s;        //= global write 4 of 4
}

/* Tables of virtual functions are no memory of the kernel's, and an object's pointer to one is. */
struct Shape {
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    float side;
    __device__ Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Disc : Shape {
    float radius;
    __device__ Disc(float r) : radius(r) {}
    __device__ float area() const override { return 3 * radius * radius; }
};
__global__ void shapes(float *out) {
    Square square(2);
    Disc disc(3);
    const Shape *one = threadIdx.x % 2 ? (const Shape *)&square : (const Shape *)&disc;
    const Shape *other = threadIdx.x % 2 ? (const Shape *)new Disc(1) : (const Shape *)new Square(1);
    out[threadIdx.x] = one->area(); //= global write 4 of 4
    delete other;
}

/* All but shapes, one after the other: compiling takes longer than running. */
__global__ void all(float *out, const float *zeros, const float *index, float *c, const float4 *fours, float2 *twos,
                    const float3 *threes_of_zeros) {
    turns(out, zeros);
    skips(out, zeros);
    calls(out, zeros);
    rows(out, zeros);
    __syncthreads();
    search(out, index);
    __syncthreads();
    sinks(c, 2);
    branches(c, 2);
    components(out, fours, twos);
    threes(out, threes_of_zeros);
}
