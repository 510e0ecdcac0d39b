# What the commands of the kit share. Input is JSON on standard input; what is no plain text or number in it is left out.
set -eu
export LC_ALL=C
input=$(tr '\n\r\t' '   ')
fail() { echo "$*" >&2; exit 1; }
text() { printf '%s' "$input" | sed -n 's/.*"'"$1"'" *: *"\([A-Za-z0-9][A-Za-z0-9._@:-]*\)" *[,}].*/\1/p'; }
number() { printf '%s' "$input" | sed -n 's/.*"'"$1"'" *: *\([0-9]\{1,15\}\) *[,}].*/\1/p'; }
# A path with what JSON would escape is left out.
path() { printf '%s' "$input" | sed -n 's/.*"path" *: *"\(\/[^"\\]*\)" *[,}].*/\1/p'; }
# Whether a path is in a list of files and folders, one a line.
listed() {
  while IFS= read -r entry || [ "$entry" ]; do
    case $entry in /*) entry=$(readlink -f -- "$entry") || continue ;; *) continue ;; esac
    case $1 in "$entry" | "${entry%/}"/*) return 0 ;; esac
  done <"$2"
  return 1
}
output() { printf '{"type":"Output","data":%s}\n' "$1"; }
