#!/bin/sh
set -e
# With rpm the old release says 1 here after the new one is in place: that is no removal.
case $1 in
  remove | 0)
    # One that does not stop stays enabled, and installed.
    if [ -d /run/systemd/system ]; then systemctl stop corral-hub; fi
    if command -v systemctl >/dev/null; then systemctl --quiet disable corral-hub; fi ;;
esac
