#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gpu.sh [--built DIR] [--seconds S] OUTDIR [STEP...]: tests and measures riffle on this machine's GPU.
#
#     test       the cuda engine's tests, then the command between files
#     sanitize   the tests' small arrays under compute-sanitizer: memcheck, racecheck, initcheck, synccheck
#     hmm        riffle-bench --suite hmm, into OUTDIR/hmm.json
#     random     riffle-bench --suite hmm-random, into OUTDIR/hmm-random.json
#     dmm        riffle-bench --suite dmm, into OUTDIR/dmm.json
#     affine     riffle-bench --suite affine, into OUTDIR/affine.json, and what PyTorch and CuPy take for some of the
#                same, where they are, into OUTDIR/affine-peers.json
#     arbitrary  riffle-bench --suite arbitrary, into OUTDIR/arbitrary.json, what Thrust and CUB take, into
#                OUTDIR/arbitrary-cuda-peers.json, and PyTorch and CuPy, where they are, into OUTDIR/arbitrary-peers.json
#     axes       riffle-bench --suite axes, into OUTDIR/axes.json, what cuTENSOR takes for the same, where it is installed,
#                into OUTDIR/axes-cuda-peers.json, and PyTorch and CuPy into OUTDIR/axes-peers.json
#     views      riffle-bench --suite views, into OUTDIR/views.json, and PyTorch and CuPy into OUTDIR/views-peers.json
#     once       riffle-bench --suite once, into OUTDIR/once.json
#     hull       riffle-bench --suite hull, into OUTDIR/hull.json, the dissertation's way into OUTDIR/hull-paper.json, and both of
#                its Figure 3.4 into OUTDIR/hull-figure.json (bench/results/hull/h200.json)
#     sort       riffle-bench --suite sort-gpu, into OUTDIR/sort.json, what CUB and Thrust take for the same, into
#                OUTDIR/sort-cuda-peers.json, and PyTorch and CuPy, where they are, into OUTDIR/sort-peers.json
#     group      riffle-bench --suite group, into OUTDIR/group.json, with the rows of PyTorch and CuPy, where they are
#     programs   riffle-bench --suite programs, into OUTDIR/programs.json, and what PyTorch takes for the same, where it
#                is, into OUTDIR/programs-peers.json
#     peers      of affine, arbitrary, axes, views, programs and sort what others than riffle take, alone
#     bench      axes, views, affine, arbitrary, once, programs, hull, sort, group, hmm, random and dmm
#     profile    Nsight Compute's counters of each kernel, into OUTDIR/profile.csv
#
# Without a STEP: test, sanitize, bench. Builds into build-gpu (nvcc, CMake; nothing else is needed) unless DIR has
# been built already. Stops beginning steps after S seconds (540), and gives each its share of what is left, so that
# the whole ends in time where time is lent. Each step's output is in OUTDIR/STEP.log; a summary comes at the end.
set -u
cd "$(dirname "$0")/.." || exit 1

usage() { sed -n '4,33s/^# \{0,1\}//p' "$0"; }

build='' given=540
while [ $# -gt 0 ]; do
    case $1 in
    --built) build=$2 && shift 2 ;;
    --seconds) given=$2 && shift 2 ;;
    --help) usage && exit 0 ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || { usage >&2 && exit 2; }
mkdir -p "$1" || exit 1
out=$(cd "$1" && pwd)
shift
steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(test sanitize bench)

export PATH=$PATH:/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer
summary=() failures=0

left() { echo $((given - SECONDS)); }

# run NAME MOST COMMAND...: runs a command for MOST seconds at most, and no longer than time is left.
run() {
    local name=$1 most=$2 began=$SECONDS status limit
    shift 2
    limit=$(left)
    [ "$limit" -lt "$most" ] || limit=$most
    if [ "$limit" -lt 10 ]; then
        summary+=("$name: left out, the time was over")
        return 1
    fi
    echo "== $name (at most $limit s)"
    timeout -k 5 "$limit" bash -c '"$@"' bash "$@" >"$out/$name.log" 2>&1
    status=$?
    case $status in
    0) summary+=("$name: done in $((SECONDS - began)) s; $(tail -n 1 "$out/$name.log")") ;;
    77) summary+=("$name: $(tail -n 1 "$out/$name.log")") ;;
    124 | 137) summary+=("$name: stopped after $limit s") && failures=$((failures + 1)) ;;
    *) summary+=("$name: FAILED with $status; $(tail -n 1 "$out/$name.log")") && failures=$((failures + 1)) ;;
    esac
    [ $status -eq 0 ] || tail -n 15 "$out/$name.log"
    return $status
}

configure_and_build() {
    local generator=()
    command -v ninja >/dev/null && generator=(-G Ninja)
    cmake -S . -B build-gpu "${generator[@]}" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DRIFFLE_CUDA=ON \
        -DRIFFLE_CUDA_FLAGS=-lineinfo -DRIFFLE_TESTS=ON || return
    cmake --build build-gpu -j "$(nproc)" --target riffle_command riffle_bench cuda_peers test_cuda test_faults test_planner test_shapes example_cuda_reorder
}

# suite FILE SECONDS ARGUMENT...: bench begins no row after SECONDS, so that the JSON is whole when the step's time ends.
suite() {
    local file=$1 seconds=$2 status
    shift 2
    "$build/riffle-bench" "$@" --seconds "$seconds" --json >"$file.part"
    status=$?
    python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["results"]), "rows")' "$file.part" &&
        mv "$file.part" "$file"
    return $status
}

# cuda_peers FILE SUITE OPTION...: a program of other libraries', whose document is whole when it ends.
cuda_peers() {
    local file=$1 status
    shift
    LD_LIBRARY_PATH=$(wheels):${LD_LIBRARY_PATH:-} "$build/bench/peers/cuda_peers" "$@" >"$file.part"
    status=$?
    [ $status -eq 77 ] ||
        { python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["results"]), "rows of peers")' "$file.part" &&
            mv "$file.part" "$file"; }
    return $status
}

# Where wheels have put cuTENSOR and the libraries that it needs.
wheels() {
    python3 -c 'import glob, sys
print(":".join(found for path in sys.path for name in ("cutensor", "nvidia/*") for found in glob.glob(f"{path}/{name}/lib")))'
}

# share PARTS MOST: a PARTS-th of the time left in seconds, or MOST if that is less.
share() {
    local part=$((($(left) - 5) / $1))
    [ "$part" -lt "$2" ] || part=$2
    echo "$part"
}

# run_suite NAME PARTS MOST ARGUMENT...: a row may take long at its end, so rows have only part of the step's time.
run_suite() {
    local name=$1 seconds
    seconds=$(share "$2" "$3")
    shift 3
    run "$name" "$seconds" suite "$out/$name.json" "$((seconds * 6 / 10 + 1))" "$@"
}

# run_peers NAME MOST COMMAND...: of other libraries, whose rows end in time too.
run_peers() {
    local name=$1 seconds
    seconds=$(share 1 "$2")
    shift 2
    run "$name" "$seconds" "$@" --seconds "$((seconds * 8 / 10))"
}

through_files() {
    python3 - "$build/riffle" "$out" <<'END'
import subprocess, sys
import numpy as np
riffle, folder = sys.argv[1:]
x = np.random.default_rng().random((1000, 768), dtype=np.float32)
np.save(f"{folder}/in.npy", x)
for by, expected in [("transpose:1000x768", x.T), ("reverse", x.ravel()[::-1])]:
    subprocess.run([riffle, "permute", f"{folder}/in.npy", f"{folder}/out.npy", "--by", by, "--engine", "cuda"], check=True)
    np.testing.assert_array_equal(np.load(f"{folder}/out.npy").ravel(), np.ascontiguousarray(expected).ravel())
print("files: moved on the GPU as NumPy says")
END
    local status=$?
    rm -f "$out/in.npy" "$out/out.npy"
    return $status
}

sanitize() {
    local tool options program part
    for tool in memcheck racecheck initcheck synccheck; do
        options=(--tool "$tool" --error-exitcode 9 --print-limit 20)
        [ $tool != memcheck ] || options+=(--leak-check full --report-api-errors no) # tests ask for errors too
        for program in test_faults test_planner test_shapes; do
            run "sanitize-$tool-$program" "$(share 1 200)" compute-sanitizer "${options[@]}" \
                "$build/tests/cuda/$program" --small
        done
        if [ $tool != racecheck ]; then
            run "sanitize-$tool-test_cuda" "$(share 1 200)" compute-sanitizer "${options[@]}" "$build/tests/cuda/test_cuda" --small
            continue
        fi
        for part in $("$build/tests/cuda/test_cuda" --list); do # together they take minutes there
            run "sanitize-$tool-$part" "$(share 1 60)" compute-sanitizer "${options[@]}" "$build/tests/cuda/test_cuda" --small "$part"
        done
    done
}

profile() {
    local metrics=gpu__time_duration.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed
    metrics+=,dram__bytes_read.sum,dram__bytes_write.sum,sm__warps_active.avg.pct_of_peak_sustained_active
    metrics+=,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
    metrics+=,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
    metrics+=,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
    metrics+=,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
    run profile 240 ncu --csv --log-file "$out/profile.csv" --kernel-name regex:riffle_ --metrics "$metrics" \
        "$build/riffle-bench" --suite hmm --only transpose:4096x4096 --repeat 1
}

# PyTorch and CuPy take the rows of a suite that riffle was measured on, here or before.
torch_rows() {
    local rows=$out/$1.json
    [ -f "$rows" ] || rows=$(find bench/results -name "h200-$1.json")
    run_peers "$1-peers" 180 python3 bench/peers/torch_peer.py "$out/$1-peers.json" "$1" "$rows"
}

# PARTS MOST: of the time left.
affine() {
    run_suite affine "$1" "$2" --suite affine
    affine_peers
}

affine_peers() {
    run_peers affine-peers 120 python3 bench/peers/torch_peer.py "$out/affine-peers.json"
}

# PARTS MOST: of the time left.
arbitrary() {
    run_suite arbitrary "$1" "$2" --suite arbitrary
    arbitrary_peers
}

arbitrary_peers() {
    run_peers arbitrary-cuda-peers 120 cuda_peers "$out/arbitrary-cuda-peers.json" arbitrary
    run_peers arbitrary-peers 120 python3 bench/peers/torch_peer.py "$out/arbitrary-peers.json" arbitrary
}

# PARTS MOST: of the time left.
once() {
    run_suite once "$1" "$2" --suite once
}

# PARTS MOST: of the time left.
hull() {
    run_suite hull "$1" "$2" --suite hull --engine cuda
    run_suite hull-paper "$1" "$2" --suite hull --engine cuda --only figure --algorithm paper
    run hull-figure 20 python3 bench/papers/hull_paper.py times "$out/hull.json" "$out/hull-paper.json" "$out/hull-figure.json"
}

# PARTS MOST: of the time left.
sort_suite() {
    run_suite sort "$1" "$2" --suite sort-gpu
    sort_peers
}

sort_peers() {
    run_peers sort-cuda-peers 180 cuda_peers "$out/sort-cuda-peers.json" sort
    torch_rows sort
    group_peer sort
}

# PyTorch and CuPy bring together and select, beside the rows of riffle in the same file.
group_peer() {
    [ ! -f "$out/$1.json" ] || run "$1-selects-peers" "$(share 1 120)" python3 bench/peers/group_peer.py "$out/$1.json"
}

# PARTS MOST: of the time left.
group() {
    run_suite group "$1" "$2" --suite group --engine cuda
    group_peer group
}

# PARTS MOST: of the time left.
axes() {
    run_suite axes "$1" "$2" --suite axes --engine cuda
    axes_peers
}

axes_peers() {
    run_peers axes-cuda-peers 120 cuda_peers "$out/axes-cuda-peers.json" axes
    torch_rows axes
}

# PARTS MOST: of the time left.
programs() {
    run_suite programs "$1" "$2" --suite programs --engine cuda
    programs_peers
}

views() {
    run_suite views "$1" "$2" --suite views
    torch_rows views
}

programs_peers() {
    run_peers programs-peers 120 python3 bench/peers/torch_peer.py "$out/programs-peers.json" programs
}

test_engine() {
    run test 400 "$build/tests/cuda/test_cuda"
    run planner 240 "$build/tests/cuda/test_planner"
    run faults 60 "$build/tests/cuda/test_faults"
    run shapes 120 "$build/tests/cuda/test_shapes"
    run reorder 60 "$build/examples/cuda/reorder"
    run files 60 through_files
}

do_step() {
    case $1 in
    test) test_engine ;;
    sanitize) sanitize ;;
    hmm) run_suite hmm 1 560 --suite hmm ;;
    random) run_suite hmm-random 1 300 --suite hmm-random ;;
    dmm) run_suite dmm 1 120 --suite dmm ;;
    affine) affine 1 420 ;;
    arbitrary) arbitrary 1 420 ;;
    axes) axes 1 240 ;;
    views) views 1 60 ;;
    once) once 1 60 ;;
    programs) programs 1 120 ;;
    hull) hull 1 120 ;;
    sort) sort_suite 1 180 ;;
    group) group 1 120 ;;
    peers)
        affine_peers
        arbitrary_peers
        axes_peers
        torch_rows views
        programs_peers
        sort_peers
        ;;
    bench)
        axes 4 240
        views 2 60
        affine 3 300
        arbitrary 2 300
        once 2 60
        programs 2 120
        hull 2 120
        sort_suite 2 180
        group 2 120
        run_suite dmm 3 120 --suite dmm
        run_suite hmm-random 3 300 --suite hmm-random
        run_suite hmm 1 560 --suite hmm
        ;;
    profile) profile ;;
    *) echo "gpu.sh: step '$1': unknown; the steps are test, sanitize, hmm, random, dmm, affine, arbitrary, once, programs, hull, sort, group, axes, views, peers, bench, profile" >&2 && exit 2 ;;
    esac
}

export -f configure_and_build cuda_peers suite through_files wheels
built=0
if [ -z "$build" ]; then
    run build 300 configure_and_build
    built=$?
    build="build-gpu"
fi
export build out
if [ $built -eq 0 ]; then
    for step in "${steps[@]}"; do do_step "$step"; done
fi

echo "== summary after $SECONDS s"
printf '%s\n' "${summary[@]}" | tee "$out/summary.txt"
[ $failures -eq 0 ]
