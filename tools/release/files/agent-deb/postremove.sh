#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "$1" = purge ]; then
  for folder in /var/lib/corral-agent /var/lib/corral-kit /usr/local/lib/corral-kit /etc/corral/commands; do
    if [ -d "$folder" ]; then echo "This stays until you delete it: $folder"; fi
  done
fi
