# SPDX-License-Identifier: Apache-2.0
"""A host program for a kernel, as `riffle lint --kernel` would launch it, that leaves what its arrays hold in files: so two kernels can be compared by what they compute."""
import array
import math
import re
from pathlib import Path
from typing import Any, NamedTuple

from riffle_lint.runs import Refused

#: C++'s names of numbers, and array's letters for them
LETTERS = {"bool": "B", "char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "unsigned": "I", "long": "q", "ulong": "Q", "long long": "q",
           "unsigned char": "B", "signed char": "b", "unsigned short": "H", "unsigned int": "I", "unsigned long": "Q", "unsigned long long": "Q", "longlong": "q",
           "ulonglong": "Q", "size_t": "Q", "float": "f", "double": "d",
           **{f"{sign}int{bits}_t": (letter.upper() if sign else letter) for sign in ("", "u") for bits, letter in ((8, "b"), (16, "h"), (32, "i"), (64, "q"))}}
FILLS = ("none", "zero", "index", "random", "permutation")
MOST_ELEMENTS = 1 << 24
HOST = """
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>
template <class T> static T riffle_number(unsigned long long random, int) { return (T)random; }
template <> float riffle_number(unsigned long long random, int) { return (random >> 40) / 16777216.f; }
template <> double riffle_number(unsigned long long random, int) { return (random >> 11) / 9007199254740992.; }
template <> bool riffle_number(unsigned long long random, int) { return random >> 63; }
template <class T, class Number> static T *riffle_array(size_t count, int components, int fill, unsigned long long state) {
    T *there;
    const size_t numbers = count * components;
    std::unique_ptr<Number[]> here(new Number[numbers]()); // a vector of bool has no array
    if (cudaMalloc(&there, count * sizeof(T)) != cudaSuccess) exit(3);
    for (size_t k = 0; k < numbers; k++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        unsigned long long mixed = (state ^ state >> 29) * 0xbf58476d1ce4e5b9ull;
        here[k] = fill == 1 ? Number() : fill == 3 ? riffle_number<Number>(mixed ^ mixed >> 32, 0) : (Number)(std::is_same<Number, bool>::value ? k & 1 : k);
        if (fill == 4) std::swap(here[k], here[mixed % (k + 1)]);
    }
    if (fill > 0) cudaMemcpy(there, here.get(), count * sizeof(T), cudaMemcpyHostToDevice);
    return there;
}
template <class T> static void riffle_save(const char *name, const T *there, size_t count) {
    std::vector<unsigned char> here(count * sizeof(T));
    cudaMemcpy(here.data(), there, here.size(), cudaMemcpyDeviceToHost);
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(here.data(), 1, here.size(), file) != here.size() || fclose(file)) exit(3);
}
"""


class Argument(NamedTuple):
    """A kernel's argument: an array of a type, of so many elements (0: none), or an expression."""
    type: str
    number: str  #: the type of a component
    components: int
    count: int
    fill: int
    value: str


def whole(text: str, argument: str) -> int:
    """2^10 is 1024."""
    found = re.fullmatch(r"(\d+)(?:\^(\d{1,2}))?", text)
    if not found or (value := int(found[1]) ** int(found[2] or 1)) < 1:
        raise Refused(f"{argument}: '{text}' is no number of elements, as 1024 or 2^10")
    if value > MOST_ELEMENTS:
        raise Refused(f"{argument}: more than {MOST_ELEMENTS} elements")
    return value


def argument_of(text: str) -> Argument:
    """Reads an argument as the command's --arg has it, but for files and structures."""
    found = re.fullmatch(r"([A-Za-z_][\w ]*?)(?:=([-+\w.^,]+)|:([\w^]+)(?::(\w+))?)", text.strip())
    kind = found[1] if found else ""
    vector = re.fullmatch(r"(u?(?:char|short|int|long|longlong)|float|double)([1-4])", kind)
    number, components = (vector[1], int(vector[2])) if vector else (kind, 1)
    if not found or number not in LETTERS:
        raise Refused(f"argument '{text}': is no TYPE:LENGTH[:FILL], TYPE:null or TYPE=VALUE; files and structures are not compared")
    real = {"uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned", "ulong": "unsigned long", "longlong": "long long", "ulonglong": "unsigned long long"}
    number = real.get(number, number)
    name = kind if vector else number
    if found[2] is not None:
        words = [re.sub(r"^(\d+)\^(\d+)$", lambda power: str(int(power[1]) ** int(power[2])), word) for word in found[2].split(",")]
        return Argument(name, number, components, 0, 0, f"{name}{{{', '.join(f'({number})({word})' for word in words)}}}" if vector else f"({name})({words[0]})")
    if found[3] == "null":
        return Argument(name, number, components, 0, 0, f"({name} *)nullptr")
    if found[4] is not None and found[4] not in FILLS:
        raise Refused(f"argument '{text}': '{found[4]}' is none of {', '.join(FILLS)}")
    return Argument(name, number, components, whole(found[3], f"argument '{text}'"), FILLS.index(found[4] or "none"), "")


def program_of(source: Path, kernel: str, grid: list[int], block: list[int], arguments: list[Argument], shared_bytes: int) -> str:
    """The text of a program that launches the kernel once and leaves array k in the file array.k."""
    if not re.fullmatch(r"[\w:<>, ()*&-]+", kernel):
        raise Refused(f"kernel '{kernel}': is no name, with template arguments if it has any")
    # HOST stands before the source, whose macros may have its names.
    lines = [f'{HOST}#define main riffle_main_of_the_source\n#include "{source}"\n#undef main\nint main() {{']
    for k, one in enumerate(arguments):
        lines.append(f"    auto a{k} = riffle_array<{one.type}, {one.number}>({one.count}, {one.components}, {one.fill}, {k + 1}ull);" if one.count else
                     f"    auto a{k} = {one.value};")
    if shared_bytes > 48 << 10:
        lines.append(f"    cudaFuncSetAttribute({kernel}, cudaFuncAttributeMaxDynamicSharedMemorySize, {shared_bytes});")
    sides = [", ".join(map(str, one)) for one in (grid, block)]
    lines.append(f"    {kernel}<<<dim3({sides[0]}), dim3({sides[1]}), {shared_bytes}>>>({', '.join(f'a{k}' for k in range(len(arguments)))});")
    lines.append("    if (cudaDeviceSynchronize() != cudaSuccess) return 2;")
    lines += [f'    riffle_save("array.{k}", a{k}, {one.count});' for k, one in enumerate(arguments) if one.count]
    return "\n".join(lines) + "\n}\n"


def is_close(a: float, b: float, tolerance: float) -> bool:
    return a == b or (a != a and b != b) or abs(a - b) <= tolerance * max(abs(a), abs(b)) < math.inf


def difference(k: int, one: Argument, before: bytes, after: bytes, tolerance: float) -> dict[str, Any]:
    """How the two arrays of an argument differ, component by component."""
    out: dict[str, Any] = {"argument": k + 1, "type": one.type, "elements": one.count, "equal": True, "differing": 0, "largest_difference": 0}
    if before == after:
        return out
    numbers = [array.array(LETTERS[one.number], data) for data in (before, after)]
    for place, (a, b) in enumerate(zip(*numbers)):
        if not is_close(a, b, tolerance):
            if out["equal"]:
                out["first"] = {"element": place // one.components, "before": str(a), "after": str(b)}
            out["equal"] = False
            out["differing"] += 1
        if abs(a - b) > out["largest_difference"]:
            out["largest_difference"] = abs(a - b)
    if math.isinf(out["largest_difference"]):
        out["largest_difference"] = "inf"
    return out
