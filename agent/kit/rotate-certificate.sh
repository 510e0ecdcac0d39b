#!/bin/sh
# Replaces the certificate of this device while the hub allows it. `rotate-certificate.sh -` is the command; without an argument a timer runs it.
# The owner's file says `agent`, `certificate`, `key` and `restart`, a command. Certificate and key become links into one folder, so that both change at once.
set -eu
export LC_ALL=C
umask 077
. "${CORRAL_KIT_ROTATION:-/etc/corral/rotation}"
folder=${certificate%/*}/corral-certificates
patience=${CORRAL_KIT_PATIENCE:-600}
fail() { echo "rotate-certificate: $*" >&2; exit 1; }
window() { "$agent" device properties get corral.certificate.rotation --details 2>/dev/null || "$agent" device properties get corral.certificate.rotation; }
field() { printf '%s' "$1" | sed -n 's/.*"'"$2"'" *: *"\([A-Za-z0-9_-]*\)".*/\1/p'; }
# A renamed link takes the place of the one before at once.
point() { rm -f "$2.new" && ln -s -- "$1" "$2.new" && mv -T "$2.new" "$2"; }
use() { point "$1" "$folder/current" && sync; }
# The hub takes the window back when the device has come with its new certificate; a hub that is not reached says nothing.
arrived() {
  if text=$(window 2>&1); then [ "$(field "$text" nonce)" != "$1" ]; else case $text in *NotFound* | *"no property"*) ;; *) return 1 ;; esac; fi
}
prove() {
  nonce=$(readlink "$folder/current") waited=0
  arrived "$nonce" || $restart
  until arrived "$nonce"; do
    if [ "$waited" -ge "$patience" ]; then
      use "$(cat "$folder/before")" && rm -f "$folder/before"
      $restart
      fail 'the new certificate did not connect: the old one is used again'
    fi
    sleep 10 && waited=$((waited + 10))
  done
  rm -f "$folder/before"
  for other in "$folder"/*; do case ${other##*/} in current | "$nonce") ;; *) rm -rf "$other" ;; esac; done
}
# The restart ends the command, so what follows is in a session of its own.
go_on() {
  [ "${1-}" = - ] || { prove && exit 0; }
  setsid sh -c 'sleep 3; exec sh "$1" prove' prove "$0" </dev/null >/dev/null 2>&1 9>&- &
  echo '{"type":"Output","data":{"announced":true}}'
  exit 0
}
mkdir -p "$folder" && exec 9>"$folder/.lock"
if command -v flock >/dev/null; then flock -n 9 || fail 'another rotation runs'; fi
if [ -f "$folder/before" ] && [ "$(cat "$folder/before")" != "$(readlink "$folder/current")" ]; then go_on "$@"; fi
[ "${1-}" != prove ] || exit 0
text=$(window 2>/dev/null) || text=
nonce=$(field "$text" nonce) device=$(field "$text" deviceId)
if [ -z "$nonce" ]; then [ "${1-}" != - ] || fail 'the hub has opened no window for this device'; exit 0; fi
if [ ! -e "$folder/current" ]; then
  rm -rf "$folder/first" && mkdir "$folder/first"
  cp "$certificate" "$folder/first/certificate.pem" && cp "$key" "$folder/first/key.pem" && sync
  point first "$folder/current"
fi
for file in certificate key; do
  eval "path=\$$file"
  [ "$(readlink "$path")" = "$folder/current/$file.pem" ] || point "$folder/current/$file.pem" "$path"
done
next=$folder/$nonce
if [ ! -f "$next/made" ]; then
  rm -rf "$next" && mkdir "$next"
  openssl ecparam -name prime256v1 -genkey -noout -out "$next/key.pem"
  openssl req -new -x509 -key "$next/key.pem" -subj /CN=device -days 36500 -out "$next/certificate.pem"
  sync && touch "$next/made"
fi
signature=$(printf '%s.%s' "$nonce" "$device" | openssl dgst -sha256 -sign "$next/key.pem" | openssl base64 -A)
pem=$(sed 's/$/\\n/' "$next/certificate.pem" | tr -d '\n')
"$agent" device properties set corral.certificate.next "{\"pem\":\"$pem\",\"signature\":\"$signature\"}" >/dev/null || fail 'the hub did not take the new certificate'
readlink "$folder/current" >"$folder/before.new" && sync && mv "$folder/before.new" "$folder/before"
use "$nonce"
go_on "$@"
