#!/bin/sh
# Runs the hub, or a command of it, with the Node.js of this folder.
here=$(dirname "$(readlink -f "$0")")/..
exec "$here/node/bin/node" --max-semi-space-size=8 "$here/hub/src/main.js" "$@"
