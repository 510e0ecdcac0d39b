#!/bin/sh
set -e
if ! getent passwd corral >/dev/null; then
  useradd --system --user-group --home-dir /var/lib/corral --no-create-home --shell /usr/sbin/nologin corral
fi
# Whoever deleted the settings does not get them back.
if [ -e /etc/corral/corral.env ]; then chgrp corral /etc/corral/corral.env; fi
install -d -m 0700 -o corral -g corral /var/lib/corral
# Also where no systemd runs yet, such as when an image is built.
if [ -e /run/corral-hub.installed ] && command -v systemctl >/dev/null; then systemctl --quiet enable corral-hub; fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  if [ -e /run/corral-hub.installed ]; then
    systemctl start corral-hub
    echo 'Corral runs. Its address and the password of the first administrator: journalctl -u corral-hub'
    echo 'Its settings: /etc/corral/corral.env. Other machines reach it after CORRAL_HOST and CORRAL_PUBLIC_URL are set there.'
  elif [ -e /run/corral-hub.upgraded ]; then
    systemctl start corral-hub
  fi
fi
rm -f /run/corral-hub.installed /run/corral-hub.upgraded
