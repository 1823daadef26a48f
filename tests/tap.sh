# SPDX-License-Identifier: Apache-2.0
# What the checks of the command share; sourced, at the root. $scratch is a folder that goes with
# the shell; $number is how many checks there were. Speaks TAP.
kvpool=build/kvpool
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
number=0

# say CLAIM: reports the status of the command before it.
say() {
  local status=$?
  number=$((number + 1))
  [ $status -eq 0 ] && echo "ok $number - $1" || echo "not ok $number - $1"
}

# exits CODE TEXT ARGUMENTS...: $subcommand of the command exits with CODE and says TEXT.
exits() {
  local code=$1 text=$2 found=0
  shift 2
  "$kvpool" "$subcommand" "$@" >"$scratch/out" 2>&1 || found=$?
  [ $found -eq "$code" ] && grep -qF -- "$text" "$scratch/out" && return
  echo "# exit code $found, expected $code, and \"$text\" in:"
  sed 's/^/#   /' "$scratch/out"
  return 1
}
