#!/bin/sh
# Gives this machine's agent the address of a hub, and a deployment token for this one device.
# It asks the hub for the token by a pairing key from the console, and writes both into the
# configuration file of the agent. It reads and changes nothing else.
#
#   curl -fsS @HUB@/pair.sh | sh -s KEY [--config FILE] [--user USER] [--dry-run]
#
#   --config FILE   the file to write; otherwise /etc/nexigon/agent.toml where there is one,
#                   and else /etc/corral/agent.toml
#   --user USER     who the agent runs as, and so may read the file; otherwise who systemd runs
#                   it as, and else whoever may read the file that there is
#   --dry-run       says what would be written; the key stays unused
set -eu
umask 077
LC_ALL=C
export LC_ALL

hub='@HUB@'

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "pair.sh: $*"
  exit 1
}

usage() { fail "Usage: curl -fsS $hub/pair.sh | sh -s KEY [--config FILE] [--user USER] [--dry-run]"; }

read_arguments() {
  key='' config='' user='' dry=''
  while [ $# -gt 0 ]; do
    case $1 in
      --config)
        [ $# -gt 1 ] || usage
        config=$2
        shift
        ;;
      --user)
        [ $# -gt 1 ] || usage
        user=$2
        shift
        ;;
      --dry-run) dry=yes ;;
      -*) usage ;;
      *)
        [ -z "$key" ] || usage
        key=$1
        ;;
    esac
    shift
  done
  [ -n "$key" ] || usage
  symbols=$(printf '%s' "$key" | tr -d '-')
  case $symbols in
    *[!0-9A-Za-z]*) fail 'A pairing key has ten letters and digits, such as 7K2M9Q-X4TB.' ;;
  esac
  [ ${#symbols} -eq 10 ] || fail 'A pairing key has ten letters and digits, such as 7K2M9Q-X4TB.'
  if [ -z "$config" ]; then
    config=/etc/corral/agent.toml
    [ ! -e /etc/nexigon/agent.toml ] || config=/etc/nexigon/agent.toml
  fi
}

check_hub() {
  command -v curl >/dev/null 2>&1 || fail 'curl is missing: install it, and run this again.'
  case $hub in
    https://*) ;;
    http://localhost | http://localhost:* | http://127.*) ;;
    http://*)
      say "Warning: $hub is plain HTTP. Whoever is on the way can read the token, and the agent connects"
      say 'only where its configuration allows plain HTTP.'
      ;;
    *) fail "The address of the hub is neither https nor http: $hub" ;;
  esac
}

# Of a file of root alone, an agent that runs as somebody else could not read its token.
find_user() {
  if [ -n "$user" ]; then
    case $user in -* | *[!0-9A-Za-z._-]*) fail 'There is no such user.' ;; esac
    id -u "$user" >/dev/null 2>&1 || fail "There is no user $user."
    [ "$(id -u)" = 0 ] || [ "$(id -u)" = "$(id -u "$user")" ] || fail "Only root gives a file to $user. Run this as root."
    return 0
  fi
  [ "$(id -u)" = 0 ] && command -v systemctl >/dev/null 2>&1 || return 0
  for unit in corral-agent nexigon-agent; do
    user=$(systemctl show -p User "$unit" 2>/dev/null </dev/null | sed -n 's/^User=//p') || user=''
    [ -n "$user" ] && id -u "$user" >/dev/null 2>&1 && return 0
  done
  user=''
}

# A key works once: what cannot be written is found before it is used.
check_file() {
  folder=$(dirname -- "$config")
  if [ -d "$folder" ]; then
    [ -w "$folder" ] || fail "$folder cannot be written. Run this as root, or name another file by --config."
  else
    mkdir -p -m 0755 -- "$folder" 2>/dev/null ||
      fail "$folder cannot be made. Run this as root, or name another file by --config."
  fi
  [ ! -e "$config" ] || [ -r "$config" ] || fail "$config cannot be read. Run this as root."
}

redeem() {
  answer=$(curl -sS -m 15 --max-filesize 65536 -w '\n%{http_code}' -H 'content-type: application/json' \
    -d "{\"pairingKey\":\"$symbols\"}" "$hub/api/v1/actions/invoke/projects_RedeemPairingKeyForToken") ||
    fail "The hub $hub cannot be reached."
  status=$(printf '%s' "$answer" | tail -n 1)
  body=$(printf '%s' "$answer" | sed '$d' | tr -d '\n')
  if [ "$status" != 200 ]; then
    message=$(printf '%s' "$body" | sed -n 's/.*"message":"\([^"\\]*\)".*/\1/p' | tr -cd ' -~')
    fail "${message:-The hub answered with $status.}"
  fi
  token=$(printf '%s' "$body" | sed -n 's/.*"token":"\(deployment_[0-9A-Za-z]*\)".*/\1/p')
  [ ${#token} -eq 77 ] || fail 'The answer of the hub has no deployment token.'
}

# Both settings go to the beginning, since they have to come before the first table; other lines stay,
# and so does who may read the file, but for everybody else.
write_file() {
  new="$config.new.$$"
  (set -C && : >"$new") 2>/dev/null || fail "$new cannot be made."
  trap 'rm -f -- "$new"' EXIT
  if [ -e "$config" ]; then
    cp -p -- "$config" "$new"
    chmod o-rwx -- "$new"
  fi
  [ -z "$user" ] || chown -- "$user" "$new"
  {
    printf 'hub-url = "%s"\ntoken = "%s"\n' "$hub" "$token"
    [ ! -e "$config" ] || awk '
      /^[ \t]*\[/ { inTable = 1 }
      !inTable && /^[ \t]*(hub-url|token)[ \t]*=/ { next }
      { print }
    ' <"$config"
  } >"$new"
  mv -f -- "$new" "$config"
  trap - EXIT
}

main() {
  read_arguments "$@"
  check_hub
  find_user
  if [ -n "$dry" ]; then
    say "Would redeem the key at $hub, and write hub-url and token to $config${user:+ for the user $user}."
    exit 0
  fi
  check_file
  redeem
  write_file
  say "Wrote $config${user:+ for the user $user}. Start the agent, or start it again: its first certificate within 10 minutes is accepted."
}

main "$@"
