#!/bin/sh
# Puts a file, in parts of 1 MiB: they are collected in a folder beside it, and take its place when all are there and their digest is right.
# Without a part it says how many parts an earlier put has left.
. "${0%/*}/lib.sh"
list=${CORRAL_KIT_WRITABLE:-/etc/corral/writable-files}
data() { printf '%s' "$input" | tr '{,}' '\n\n\n' | sed -n 's/^ *"data" *: *"//p' | tr -d '" '; }
data=$(data)
input=$(printf '%s' "$input" | sed 's/"data" *: *"[^"]*"/"data":""/')
path=$(path) size=$(number size) digest=$(text digest) part=$(number part)
[ "$path" ] || fail 'the path must begin with / and have no quote, backslash or control character'
[ "$size" ] && [ "$digest" ] || fail 'size and digest are missing'
name=${path##*/}
case $name in '' | . | ..) fail 'the path must name a file' ;; esac
# From here on the folder is this one, whatever takes its place; the dot keeps a line feed at the end of its name.
[ -f "$list" ] && cd -P -- "${path%/*}/" 2>/dev/null && here=$(pwd -P && echo .) && here=${here%?.} && listed "${here%/}/$name" "$list" ||
  fail "$path is not in $list, where the owner of this device lists what may be put, or its folder is not there"
if [ -L "./$name" ] || { [ -e "./$name" ] && [ ! -f "./$name" ]; }; then fail "$path is no plain file"; fi
same() { [ "$(wc -c <"$1" | tr -d ' ')" = "$size" ] && echo "${digest#sha256_}  $1" | sha256sum -c >/dev/null 2>&1; }
if [ -z "$part" ] && [ -f "./$name" ] && [ -r "./$name" ] && same "./$name"; then
  output '{"parts":0,"isDone":true}'
  exit
fi
# Others cannot write into it, nor lead it elsewhere.
new=.$name.corral-put
mkdir -m 700 "./$new" 2>/dev/null || [ -e "./$new" ] || fail "the user of the agent may not write into the folder of $path"
[ ! -L "./$new" ] && cd -P "./$new" 2>/dev/null && [ -O . ] && [ "$(pwd -P)" = "${here%/}/$new" ] || fail "$new beside it is of somebody else"
if [ ! -f content ] || [ "$(cat wanted 2>/dev/null)" != "$size $digest" ]; then
  [ -z "$part" ] || fail 'this put has not begun'
  rm -f content wanted done.*
  # With the owner and the mode of the file before.
  if [ -f "../$name" ]; then cp -p "../$name" content; fi
  : >content
  chmod ug-s content
  echo "$size $digest" >wanted
fi
have=$(wc -c <content | tr -d ' ')
if [ "$part" ]; then
  [ "$((have / 1048576))" -ge "$part" ] || fail 'a part before it is missing'
  # Cuts off what a part that was interrupted has left.
  printf '%s' "$data" | base64 -d | dd of=content bs=1048576 seek="$part" status=none
  have=$(wc -c <content | tr -d ' ')
fi
[ "$have" -le "$size" ] || { rm -f wanted && fail "more than $size bytes came"; }
if [ "$have" != "$size" ]; then
  output "{\"parts\":$((have / 1048576)),\"isDone\":false}"
  exit
fi
# Under a name of its own no other put of this path changes it.
mv -fT content "done.$$" 2>/dev/null || fail 'another put of this path came between'
same "done.$$" || { rm -f wanted "done.$$" && fail "what came does not have the digest $digest"; }
sync
mv -fT "done.$$" "../$name"
rm -f wanted
# Another put may have begun.
cd .. && { rmdir "./$new" 2>/dev/null || :; }
output '{"parts":0,"isDone":true}'
