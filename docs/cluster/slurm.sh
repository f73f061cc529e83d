#!/usr/bin/env bash
# A Slurm array without Ray: every task runs its share of the trials into a folder of its own.
#   sbatch docs/cluster/slurm.sh
#   bgcn reproduce --merge shares/* --out results && bgcn reproduce all --runs 50 --out results
# The last command finds every trial in the log and makes the tables. A task that was stopped goes on when it is
# submitted again.
#SBATCH --job-name=bgcn
#SBATCH --array=1-32
#SBATCH --cpus-per-task=8
#SBATCH --mem=8G
#SBATCH --time=12:00:00
#SBATCH --requeue
set -euo pipefail
share=$SLURM_ARRAY_TASK_ID
bgcn reproduce all --runs 50 --shard "$share/$SLURM_ARRAY_TASK_COUNT" --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --out "shares/$share" --quiet
