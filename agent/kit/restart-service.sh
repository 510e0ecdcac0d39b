#!/bin/sh
. "${0%/*}/lib.sh"
unit=$(text unit)
list=${CORRAL_KIT_SERVICES:-/etc/corral/restartable-services}
[ "$unit" ] || fail 'the unit must be a plain name'
grep -qxF -- "$unit" "$list" || fail "$unit is not in $list, where the owner of this device lists what may be restarted"
if command -v systemctl >/dev/null; then systemctl restart "$unit"; else "${CORRAL_KIT_INIT:-/etc/init.d}/$unit" restart; fi </dev/null >&2
output "{\"unit\":\"$unit\"}"
