#!/bin/sh
. "${0%/*}/lib.sh"
delay=$(number delaySecs)
# In a session of its own and without the output of this command, so that the result is told before the restart.
setsid sh -c 'sleep "$1"; exec "$2"' reboot "${delay:-3}" "${CORRAL_KIT_REBOOT:-/sbin/reboot}" </dev/null >/dev/null 2>&1 &
output '{"reboots":true}'
