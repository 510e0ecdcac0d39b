# What the commands of the kit share. Input is JSON on standard input; what is no plain text or number in it is left out.
set -eu
export LC_ALL=C
input=$(tr '\n\r\t' '   ')
fail() { echo "$*" >&2; exit 1; }
text() { printf '%s' "$input" | sed -n 's/.*"'"$1"'" *: *"\([A-Za-z0-9][A-Za-z0-9._@:-]*\)" *[,}].*/\1/p'; }
number() { printf '%s' "$input" | sed -n 's/.*"'"$1"'" *: *\([0-9]\{1,6\}\) *[,}].*/\1/p'; }
output() { printf '{"type":"Output","data":%s}\n' "$1"; }
