#!/bin/sh
# The command line, with the Node.js of this folder.
here=$(dirname "$(readlink -f "$0")")/..
exec "$here/node/bin/node" "$here/cli/dist/corral.mjs" "$@"
