#!/bin/sh
exec /usr/lib/corral-hub/node/bin/node /usr/lib/corral-hub/cli/dist/corral.mjs "$@"
