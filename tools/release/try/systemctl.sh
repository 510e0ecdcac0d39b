#!/bin/sh
# Stands in for systemctl where no systemd runs: starts and stops the services of Corral when packages ask for it, and writes down each start.
for word in "$@"; do
  case $word in
    corral-*) unit=$word ;;
    --now) now=yes ;;
    -*) ;;
    *) verb=$word ;;
  esac
done
runs() { pid=$(cat "/run/$unit.pid" 2>/dev/null) && grep -qs '^State:.[^Z]' "/proc/$pid/status"; }
stop() {
  runs || return 0
  kill "$pid"
  while runs; do sleep 0.1; done
}
start() {
  if runs; then return; fi
  echo started >>"/run/$unit.starts"
  : >"/var/log/$unit.log"
  case $unit in
    corral-hub) set -- corral-hub ${TRIAL_OPTIONS:-} ;;
    *) set -- corral-agent run --log-format pretty ;;
  esac
  setsid "$@" </dev/null >>"/var/log/$unit.log" 2>&1 &
  echo $! >"/run/$unit.pid"
}
case $verb in
  start) start ;;
  stop) stop ;;
  restart) stop && start ;;
  try-restart) if runs; then stop && start; fi ;;
  is-active) runs && echo active ;;
  enable) if [ -n "${now:-}" ]; then start; fi ;;
  disable) if [ -n "${now:-}" ]; then stop; fi ;;
esac
