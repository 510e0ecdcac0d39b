#!/bin/sh
set -e
# Also where no systemd runs yet, such as when an image is built.
if [ -e /run/corral-agent.installed ] && command -v systemctl >/dev/null; then systemctl --quiet enable corral-agent; fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # Without a hub there is nothing to start yet.
  if [ -e /run/corral-agent.installed ]; then
    echo 'Write the hub and a token into /etc/corral/agent.toml, then: systemctl start corral-agent'
  else
    systemctl try-restart corral-agent
  fi
fi
rm -f /run/corral-agent.installed
