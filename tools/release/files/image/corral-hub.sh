#!/bin/sh
exec /usr/lib/corral-hub/node/bin/node --max-semi-space-size=8 /usr/lib/corral-hub/hub/src/main.js "$@"
