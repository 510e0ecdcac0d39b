#!/bin/sh
. "${0%/*}/lib.sh"
lines=$(number lines) unit=$(text unit)
lines=${lines:-100}
case $input in *'"unit"'*) [ "$unit" ] || fail 'the unit must be a plain name' ;; esac
if command -v journalctl >/dev/null; then
  set -- journalctl --no-pager -q -n "$lines" ${unit:+-u "$unit"}
  unit=
elif command -v logread >/dev/null; then set -- logread
else set -- tail -n "$lines" "${CORRAL_KIT_LOG:-/var/log/messages}"; fi
# Not in a pipe, which would end well whatever the reader says.
log=$("$@") || fail "the log cannot be read: $1 ended with exit code $?"
wanted() { if [ "$unit" ]; then grep -F -- "$unit" || :; else cat; fi | tail -n "$lines"; }
# As a list of JSON texts, within the 64 KiB that a line of output may have.
list=$(if [ "$log" ]; then printf '%s\n' "$log"; fi | wanted | tail -c 30000 | tr '\t' ' ' | tr -d '\000-\011\013-\037\177' | sed 's/[\\"]/\\&/g; s/.*/"&"/' | paste -s -d, -)
output "{\"lines\":[$list]}"
