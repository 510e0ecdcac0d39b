#!/bin/sh
# Without a part it returns the size and the digest of a file; a part, of 1 MiB, comes as lines of base64 on standard error.
. "${0%/*}/lib.sh"
list=${CORRAL_KIT_READABLE:-/etc/corral/readable-files}
path=$(path) part=$(number part)
[ "$path" ] || fail 'the path must begin with / and have no quote, backslash or control character'
refuse() { fail "$path is not in $list, where the owner of this device lists what may be fetched"; }
[ -f "$list" ] && real=$(readlink -f -- "$path") && listed "$real" "$list" || refuse
# A pipe would wait for its writer, and a device may do something.
[ -f "$real" ] || fail "$path is no file"
[ -r "$real" ] || fail "the user of the agent may not read $path"
exec 3<"$real"
# What was opened, whatever has taken its place; the dot keeps a line feed at the end of a name.
real=$(readlink /proc/self/fd/3 && echo .) && listed "${real%?.}" "$list" && [ -f /proc/self/fd/3 ] || refuse
if [ "$part" ]; then
  dd bs=65536 skip="$((part * 16))" count=16 status=none <&3 | base64 | tr -d '\n' | fold -w 9996 >&2
  echo >&2
  output '{}'
else
  size=$(wc -c </proc/self/fd/3 | tr -d ' ')
  digest=$(head -c "$size" </proc/self/fd/3 | sha256sum)
  output "{\"sizeBytes\":$size,\"digest\":\"sha256_${digest%% *}\"}"
fi
