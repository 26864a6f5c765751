#!/usr/bin/env bash
# Builds the container image and runs it: on the embedded database, and as compose.yaml does on PostgreSQL.
# Needs root, a Debian-based system, and access to its package mirrors and to npm's registry: npm run test:container
#
# No registry of images and no container engine is needed. Stand-ins for the two base images are made from Debian
# packages, under the names that the Dockerfile uses.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${CONTAINER_TEST_MOUNTS:-}" ]; then
  CONTAINER_TEST_MOUNTS=own exec unshare --mount "$0" "$@"
fi

folder=$(mktemp -d --tmpdir container-test-XXXXXX)
trap 'podman rm --all --force >/dev/null 2>&1 || true; umount -R "$folder" 2>/dev/null || true; rm -rf --one-file-system "$folder"' EXIT

prepare_podman() {
  local program missing=()
  for program in podman buildah mmdebstrap crun; do command -v "$program" >/dev/null || missing+=("$program"); done
  if [ ${#missing[@]} -gt 0 ]; then apt-get update -q && apt-get install -qy --no-install-recommends "${missing[@]}"; fi
  # podman wants cgroups of version 2, and images stored apart from those of the machine.
  mount -t cgroup2 none /sys/fs/cgroup
  mount -t tmpfs none /run/containers 2>/dev/null || { mkdir -p /run/containers && mount -t tmpfs none /run/containers; }
  cat >"$folder/storage.conf" <<STORAGE
[storage]
driver = "vfs"
graphroot = "$folder/storage"
runroot = "$folder/run"
STORAGE
  export CONTAINERS_STORAGE_CONF="$folder/storage.conf" BUILDAH_ISOLATION=chroot
}

make_base_images() {
  local sources=(/etc/apt/sources.list.d/debian.sources)
  [ -e "${sources[0]}" ] || sources=()
  local excluded=() path
  # What the real bookworm-slim leaves out as well.
  for path in doc man info locale lintian; do excluded+=("--dpkgopt=path-exclude=/usr/share/$path/*"); done
  mmdebstrap --quiet --mode=root --variant=minbase --include=usr-is-merged \
    --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --aptopt='Acquire::Check-Valid-Until "false"' "${excluded[@]}" \
    bookworm "$folder/debian" "${sources[@]}"
  tar -C "$folder/debian" -c . | podman import --quiet - docker.io/library/debian:bookworm-slim

  # Inside an npm script, `node` is the project's own; npm_node_execpath is the one that runs npm.
  install -D "${npm_node_execpath:?run it with npm}" "$folder/debian/usr/local/bin/node"
  mkdir -p "$folder/debian/usr/local/lib/node_modules" "$folder/debian/usr/local/etc"
  cp -r "$(dirname "$(dirname "$npm_execpath")")" "$folder/debian/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$folder/debian/usr/local/bin/npm"
  {
    echo "registry=$(npm config get registry)"
    if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
      install -Dm644 "$NODE_EXTRA_CA_CERTS" "$folder/debian/usr/local/etc/authorities.pem"
      echo 'cafile=/usr/local/etc/authorities.pem'
    fi
  } >"$folder/debian/usr/local/etc/npmrc"
  tar -C "$folder/debian" -c . | podman import --quiet - docker.io/library/node:24-bookworm-slim
  rm -rf --one-file-system "$folder/debian"
}

prepare_podman
make_base_images
podman build --pull=never --layers=false --network=host --format=docker --quiet --tag=partner-interview .
node test/container.ts
