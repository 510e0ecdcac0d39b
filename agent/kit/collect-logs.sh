#!/bin/sh
. "${0%/*}/lib.sh"
lines=$(number lines) unit=$(text unit)
lines=${lines:-100}
case $input in *'"unit"'*) [ "$unit" ] || fail 'the unit must be a plain name' ;; esac
read_log() {
  if command -v journalctl >/dev/null; then
    if [ "$unit" ]; then journalctl --no-pager -q -n "$lines" -u "$unit"; else journalctl --no-pager -q -n "$lines"; fi
  elif command -v logread >/dev/null; then
    logread | if [ "$unit" ]; then grep -F -- "$unit" || :; else cat; fi | tail -n "$lines"
  else
    tail -n "$lines" "${CORRAL_KIT_LOG:-/var/log/messages}" | if [ "$unit" ]; then grep -F -- "$unit" || :; else cat; fi
  fi
}
# As a list of JSON texts, within the 64 KiB that a line of output may have.
list=$(read_log | tail -c 30000 | tr '\t' ' ' | tr -d '\000-\011\013-\037\177' | sed 's/[\\"]/\\&/g; s/.*/"&"/' | paste -s -d, -)
output "{\"lines\":[$list]}"
