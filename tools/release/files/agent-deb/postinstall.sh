#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # Without a hub there is nothing to start yet.
  if [ -e /run/corral-agent.installed ]; then
    systemctl enable --quiet corral-agent
    echo 'Write the hub and a token into /etc/corral/agent.toml, then: systemctl start corral-agent'
  else
    systemctl try-restart corral-agent
  fi
fi
rm -f /run/corral-agent.installed
