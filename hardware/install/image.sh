# shellcheck shell=sh disable=SC2154
# Sourced by make-disk and make-card, which set architecture, suite and folder: a clean Debian with
# this checkout, and the service installed in it by the installer.

checkout=$(cd "$(dirname "$0")/../.." && pwd)
unpacker=$checkout/hardware/install/own-unpacker
mkdir -p "$folder"
root=$(mktemp -d "$folder/root-XXXXXX")
inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        DEBIAN_FRONTEND=noninteractive PIP_CERT=/srv/trusted.crt "$@"
}

release_mounts() {
    umount "$root/proc" "$root/dev/pts" "$root/dev" 2>/dev/null || true
}
clean_up() {
    release_mounts
    rm -rf --one-file-system "$root"
}
trap clean_up EXIT

# All in one pass, also what the installer asks for: dpkg is slow under another processor's emulation.
packages=systemd-sysv,udev,dbus,kmod,iproute2,ca-certificates,linux-image-$architecture
packages=$packages,python3-venv,git,espeak-ng,curl
modules="ext4 virtio_blk virtio_pci virtio_mmio"
if [ "$architecture" = arm64 ]; then
    packages=$packages,python3-dev,gcc,libc6-dev,swig
    modules="$modules bcm2835 sdhci_iproc mmc_block" # those of a Pi's card, too
fi
# The Debian is kept under what it is made of; delete it to have its packages anew.
made_of="$architecture $suite $packages $modules"
base="$folder/base-$(printf '%s' "$made_of" | sha256sum | cut -c 1-12).tar"

# Only what these machines boot from: unpacking every driver takes an emulated processor minutes.
make_base() {
    set --
    # shellcheck disable=SC2016 # mmdebstrap's own $1
    [ "$architecture" = "$(dpkg --print-architecture)" ] ||
        set -- --essential-hook="'$unpacker' lend \"\$1\"" --customize-hook="'$unpacker' return \"\$1\""
    # shellcheck disable=SC2016
    mmdebstrap --architectures="$architecture" --variant=minbase --mode=root --format=tar \
        --include="$packages" --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --dpkgopt='path-exclude=/usr/share/locale/*' \
        --essential-hook='mkdir -p "$1/etc/initramfs-tools/conf.d"' \
        --essential-hook='echo MODULES=list >"$1/etc/initramfs-tools/conf.d/modules"' \
        --essential-hook="printf '%s\n' $modules >\"\$1/etc/initramfs-tools/modules\"" \
        "$@" "$suite" "$base.new"
    mv "$base.new" "$base"
}

make_root() {
    [ -e "$base" ] || make_base
    tar -C "$root" -xf "$base"
    rm -f "$root/etc/resolv.conf"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    # A machine behind a proxy trusts certificates of its own.
    cp /etc/ssl/certs/ca-certificates.crt "$root/srv/trusted.crt"
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    mount --bind /dev/pts "$root/dev/pts"
    mkdir -p "$root/srv/checkout"
    git -C "$checkout" archive HEAD | tar -x -C "$root/srv/checkout"
}

# Takes the installer's arguments. What pip has fetched and built is kept as well.
install_service() {
    mkdir -p "$folder/pip" "$root/root/.cache"
    cp -a "$folder/pip" "$root/root/.cache/pip"
    inside /srv/checkout/hardware/install/install "$@"
    cp -a "$root/root/.cache/pip/." "$folder/pip"
}
