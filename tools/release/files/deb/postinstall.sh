#!/bin/sh
set -e
# deb: configure, abort-upgrade and others; rpm: a number.
if ! getent passwd corral >/dev/null; then
  useradd --system --user-group --home-dir /var/lib/corral --no-create-home --shell /usr/sbin/nologin corral
fi
chgrp corral /etc/corral/corral.env
install -d -m 0700 -o corral -g corral /var/lib/corral
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # The first time it is enabled; afterwards it keeps what the administrator chose.
  if [ "$1" = 1 ] || { [ "$1" = configure ] && [ -z "$2" ]; }; then
    systemctl enable --now corral-hub
    echo 'Corral runs. Its address and the password of the first administrator: journalctl -u corral-hub'
  elif [ -e /run/corral-hub.upgraded ]; then
    rm -f /run/corral-hub.upgraded
    systemctl start corral-hub
  fi
fi
