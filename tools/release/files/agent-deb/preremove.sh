#!/bin/sh
set -e
case $1 in
  remove | 0)
    if [ -d /run/systemd/system ]; then systemctl stop corral-agent; fi
    if command -v systemctl >/dev/null; then systemctl --quiet disable corral-agent; fi ;;
esac
