#!/bin/sh
# Installs what the hub wants. `install.sh -` reads it from standard input, as the command `install`; without an argument, from the property corral.wanted.
# The files of a version appear in their folder all at once; then the hook of this device's owner puts them to use, and corral.installed says so.
set -eu
export LC_ALL=C
agent=${CORRAL_AGENT:-corral-agent} root=${CORRAL_KIT_ROOT:-/var/lib/corral-kit} hook=${CORRAL_KIT_HOOK:-/etc/corral/install-hook}
fail() { echo "install: $*" >&2; exit 1; }
# A field of an object; one with other characters than these is left out. No name of the hub reaches a shell as code, or a path as more than one part.
field() { printf '%s' "$1," | sed -n 's/.*"'"$2"'" *: *'"$3"'\([A-Za-z0-9][A-Za-z0-9._+@:~-]*\)'"$3"' *[],}].*/\1/p'; }
get() { "$agent" device properties get corral.wanted --details 2>/dev/null || "$agent" device properties get corral.wanted 2>/dev/null || :; }
# The agent fetches with the authorities that it trusts itself; one that cannot names an address.
fetch() {
  if [ "$pulls" ]; then "$agent" repositories pull "$source" "$1" --output "$root/.new/$1" >/dev/null; return; fi
  url=$("$agent" repositories issue-url "$repository/$package/$tag/$1" | sed -n 's/.*\(https\{0,1\}:\/\/[^"]*\).*/\1/p')
  if command -v curl >/dev/null; then curl -fsS -o "$root/.new/$1" "$url"; return; fi
  command -v wget >/dev/null || fail 'this agent cannot fetch files: it needs curl or wget'
  wget -q -O "$root/.new/$1" "$url"
}
wanted=$(if [ "${1-}" = - ]; then cat; else get; fi | tr '\n\r\t' '   ')
mkdir -p "$root" && exec 9>"$root/.lock"
if command -v flock >/dev/null; then flock -n 9 || fail 'another installation runs'; fi
if [ "${1-}" != - ]; then case $wanted in '' | "$(cat "$root/.seen" 2>/dev/null)") exit 0 ;; esac; fi
repository=$(field "$wanted" repository '"') package=$(field "$wanted" package '"') version=$(field "$wanted" version '"') tag=$(field "$wanted" tag '"')
[ "$repository" ] && [ "$package" ] && [ "$version" ] && [ "$tag" ] || fail 'repository, package, version and tag must be plain names'
target=$root/$repository/$package/$version
files=$(printf '%s' "$wanted" | sed 's/[^[]*\[//; s/\].*//' | tr '}' '\n' | while read -r asset; do
  case $asset in *\{*) ;; *) continue ;; esac
  name=$(field "$asset" filename '"') size=$(field "$asset" size '') digest=$(field "$asset" digest '"')
  [ "$name" ] && [ "$size" ] && [ "$digest" ] || fail 'a file has no plain name, size or digest'
  echo "$name $size $digest"
done)
# A version may be published again with other files: the folder says which it has.
if [ ! -f "$target/.files" ] || [ "$(cat "$target/.files")" != "$files" ]; then
  rm -rf "$root/.new" && mkdir -p "$root/.new" "${target%/*}"
  pulls=$("$agent" repositories pull --help >/dev/null 2>&1 && echo yes || :)
  case $tag in pkg_v_*) source=$tag ;; *) source=$repository/$package@$tag ;; esac
  echo "$files" | while read -r name size digest && [ "$name" ]; do
    fetch "$name" </dev/null || fail "$name cannot be fetched"
    [ "$(wc -c <"$root/.new/$name" | tr -d ' ')" = "$size" ] || fail "$name does not have $size bytes"
    echo "${digest#sha256[_:]}  $root/.new/$name" | sha256sum -c >/dev/null 2>&1 || fail "$name does not have the digest $digest"
  done
  echo "$files" >"$root/.new/.files" && sync && rm -rf "$target" && mv "$root/.new" "$target" && sync
fi
code=0 && "$hook" "$repository" "$package" "$version" "$target" </dev/null >&2 9>&- || code=$?
# 100: the device restarts into the new version, which then sets the property.
case $code in 0) "$agent" device properties set corral.installed "{\"repository\":\"$repository\",\"package\":\"$package\",\"version\":\"$version\"}" ;; 100) ;; *) fail "the hook $hook ended with exit code $code" ;; esac
for old in "${target%/*}"/*; do [ "$old" = "$target" ] || [ $code = 100 ] || rm -rf "$old"; done
[ "${1-}" = - ] || { printf '%s' "$wanted" >"$root/.seen.new" && sync && mv "$root/.seen.new" "$root/.seen"; }
printf '{"type":"Output","data":{"version":"%s","restarts":%s}}\n' "$version" "$([ $code = 100 ] && echo true || echo false)"
