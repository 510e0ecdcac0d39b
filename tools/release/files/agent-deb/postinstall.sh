#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # Without a hub there is nothing to start yet.
  if [ "$1" = 1 ] || { [ "$1" = configure ] && [ -z "$2" ]; }; then
    systemctl enable --quiet corral-agent
    echo 'Write the hub and a token into /etc/corral/agent.toml, then: systemctl start corral-agent'
  else
    systemctl try-restart corral-agent
  fi
fi
