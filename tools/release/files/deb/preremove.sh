#!/bin/sh
set -e
# The running hub reads files of its folder, which must not change under it.
if [ -d /run/systemd/system ] && systemctl --quiet is-active corral-hub; then
  case $1 in upgrade | 1) touch /run/corral-hub.upgraded ;; esac
  systemctl stop corral-hub
fi
case $1 in
  remove | 0) if [ -d /run/systemd/system ]; then systemctl disable --quiet corral-hub; fi ;;
esac
