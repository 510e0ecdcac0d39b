#!/bin/sh
# The agent for an init that respawns it, such as BusyBox's; docs/agent-on-devices.md explains it.
/usr/bin/node --max-semi-space-size=1 /usr/local/lib/corral-agent/corral-agent.mjs run --log-format pretty 2>&1 | logger -t corral-agent
# The agent reconnects by itself: it ends only when it cannot work at all, such as with a wrong configuration.
sleep 60
