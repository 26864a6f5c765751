#!/usr/bin/env bash
# Follows the README on a bare machine: a minimal Debian 12 plus the Node and npm that run this script.
# Needs root, a Debian-based system, and access to its package mirrors: npm run test:bare-machine
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${BARE_MACHINE_MOUNTS:-}" ]; then
  # In its own mount namespace, so that all mounts disappear with the script.
  BARE_MACHINE_MOUNTS=own exec unshare --mount "$0" "$@"
fi

machine=$(mktemp -d --tmpdir bare-machine-XXXXXX)
trap 'umount -R "$machine/proc" "$machine/dev" 2>/dev/null || true; rm -rf --one-file-system "$machine"' EXIT

make_machine() {
  command -v mmdebstrap >/dev/null || { apt-get update -q && apt-get install -qy mmdebstrap; }
  local sources=(/etc/apt/sources.list.d/debian.sources)
  [ -e "${sources[0]}" ] || sources=()
  mmdebstrap --quiet --mode=root --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' \
    bookworm "$machine" "${sources[@]}"
  mount -t proc proc "$machine/proc"
  mount --rbind /dev "$machine/dev"
}

add_node() {
  # Inside an npm script, `node` is the project's own; npm_node_execpath is the one that runs npm.
  install -D "${npm_node_execpath:?run it with npm}" "$machine/usr/local/bin/node"
  local npm
  npm=$(dirname "$(dirname "$npm_execpath")")
  mkdir -p "$machine/usr/local/lib/node_modules"
  cp -r "$npm" "$machine/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$machine/usr/local/bin/npm"
}

# Network settings only: they install nothing on the machine.
add_registry_access() {
  cp --dereference /etc/resolv.conf /etc/hosts "$machine/etc/"
  local authorities=${NODE_EXTRA_CA_CERTS:-}
  if [ -n "$authorities" ]; then install -Dm644 "$authorities" "$machine$authorities"; fi
  environment=(
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "HOME=/root"
    "npm_config_registry=$(npm config get registry)"
    ${authorities:+"NODE_EXTRA_CA_CERTS=$authorities" "npm_config_cafile=$authorities"}
  )
}

on_machine() {
  echo "bare machine $ $1"
  env -i "${environment[@]}" chroot "$machine" sh -ec "cd /app; $1"
}

# The README's first block, without comments.
readme_commands() {
  sed -n '/^```sh/,/^```/p' README.md | sed -n '2,/^```/p' | sed '/^```/d; s/ *#.*//'
}

make_machine
add_node
add_registry_access
mkdir "$machine/app"
git archive HEAD | tar -x -C "$machine/app"
on_machine 'node --version; npm --version; dpkg -l | grep -c ^ii'
readme_commands | while read -r command; do on_machine "$command" </dev/null; done
echo 'The README works on a bare machine.'
