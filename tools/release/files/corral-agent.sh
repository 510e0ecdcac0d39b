#!/bin/sh
# The agent, with the Node.js of this folder.
here=$(dirname "$(readlink -f "$0")")/..
exec "$here/node/bin/node" "$here/agent/dist/corral-agent.mjs" "$@"
