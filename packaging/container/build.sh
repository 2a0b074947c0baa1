#!/usr/bin/env bash
# packaging/container/build.sh [EXECUTABLE] [NAME]: builds the image for this machine's processor, with buildah or Docker.
# Without a daemon and without privileges of its own: buildah, isolated by chroot. The C library is this system's.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dist=$here/../../dist
case $(uname -m) in x86_64) target=linux-x64 ;; aarch64) target=linux-arm64 ;; *) echo "No image for $(uname -m)." >&2; exit 1 ;; esac
executable=${1:-$(ls "$dist"/pagemeter-*-"$target")}
name=${2:-pagemeter}

context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
root=$context/root
mkdir -p "$root"/{usr/bin,etc,usr/share/doc/pagemeter}
mkdir -m 700 "$context/data"
install -m 755 "$executable" "$root/usr/bin/pagemeter"
# The loader, and what it is told to load by the executable and by SQLite's library; each with its path.
sqlite=$here/../node_modules/@libsql/$target-gnu/index.node
{ ldd "$executable"; ldd "$sqlite"; } | grep -o '/[^ ]*' | while read -r library; do install -D -m 755 "$(readlink -f "$library")" "$root$library"; done
cp /usr/share/doc/libc6/copyright "$root/usr/share/doc/pagemeter/libc6-copyright"
cp /usr/share/doc/libgcc-s1/copyright "$root/usr/share/doc/pagemeter/libgcc-copyright"
"$executable" licences >"$root/usr/share/doc/pagemeter/copyright"
echo 'pagemeter:x:65532:65532::/data:/none' >"$root/etc/passwd"
echo 'pagemeter:x:65532:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
cp "$here/Dockerfile" "$context/"

# What the labels say; a workflow of GitHub knows the source and the revision.
arguments=(--build-arg "VERSION=$("$executable" --version)")
[ -z "${GITHUB_REPOSITORY:-}" ] || arguments+=(--build-arg "SOURCE=https://github.com/$GITHUB_REPOSITORY" --build-arg "REVISION=$GITHUB_SHA")
if command -v buildah >/dev/null; then
  buildah bud --isolation chroot --format docker "${arguments[@]}" --tag "$name" "$context" # OCI's own format has no health check
else
  docker build "${arguments[@]}" --tag "$name" "$context"
fi
