#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# measure.sh BUILD FOLDER [LOG2]: moves and a sort of 2^LOG2 elements (28) over this machine's ranks, and the plans of ranks that are not there, as JSON in FOLDER.
#
#     bench/mpi/measure.sh build bench/results/ranks && bench/tables.py
set -eu
build=$1 folder=$2 log2=${3:-28}
commit=$(git -C "$(dirname "$0")" describe --always --dirty)
export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none \
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
mkdir -p "$folder"
# keep NAME COMMAND...: its document under that name, once it is whole.
keep() {
    name=$1
    shift
    "$@" >"$folder/$name.part"
    mv "$folder/$name.part" "$folder/$name"
}
for ranks in 2 4 8 16; do keep "moves-$ranks.json" mpirun -n $ranks "$build/tests/mpi/mpi_exchange" "$log2" "$commit" 3; done
keep sort-4.json env -u OMP_NUM_THREADS mpirun -n 4 "$build/tests/mpi/mpi_sort" "$log2" "$commit" "$(getconf _NPROCESSORS_ONLN)"
keep plan.json "$build/tests/mpi/mpi_plan" 32 4096 "$commit"
