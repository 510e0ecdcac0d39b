#!/bin/sh
set -e
# With rpm the old release says 1 here after the new one is in place: that is no removal.
if [ -d /run/systemd/system ]; then
  case $1 in
    upgrade)
      if systemctl --quiet is-active corral-hub; then touch /run/corral-hub.upgraded; fi
      systemctl stop corral-hub ;;
    remove | 0) systemctl disable --quiet --now corral-hub ;;
  esac
fi
