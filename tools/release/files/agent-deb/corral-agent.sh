#!/bin/sh
# A small young generation: the agent keeps little.
exec /usr/lib/corral-agent/node --max-semi-space-size=1 /usr/lib/corral-agent/corral-agent.mjs "$@"
