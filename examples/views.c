#include <riffle.h>
#include <stdio.h>

// NumPy's image[:, 1:3, 4:1:-1].transpose(1, 2, 0): a box of three planes, mirrored, as pixels.
int main(void) {
    enum { ROWS = 4, COLS = 6 };
    int image[3][ROWS][COLS], box[2][3][3];
    for (int i = 0; i < 3 * ROWS * COLS; i++) (&image[0][0][0])[i] = i;
    const uint64_t shape[3] = {2, 3, 3};
    const int64_t strides[3] = {COLS, -1, ROWS * COLS};
    if (riffle_copy_strided(3, shape, sizeof(int), box, NULL, &image[0][1][4], strides, NULL))
        return fprintf(stderr, "%s\n", riffle_error_detail()), 1;
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++) {
            if (box[r][c][2] != image[2][1 + r][4 - c]) return fprintf(stderr, "wrong\n"), 1;
            printf("%d,%d,%d%c", box[r][c][0], box[r][c][1], box[r][c][2], c < 2 ? ' ' : '\n');
        }
}
