/** The cookie that carries the access token: its name, and how it is written, cleared, read and hidden from the device. */
export interface ProxyCookie {
  readonly name: string;
  /** The value of a Set-Cookie header. */
  write(accessToken: string, validForSecs: number): string;
  clear(): string;
  /** The access token that a Cookie header carries, if any. */
  read(cookieHeader: string | undefined): string | undefined;
  /** The Cookie header without the hub's own cookies; undefined when none is left. */
  withoutOwn(cookieHeader: string): string | undefined;
  /** Whether a device may set the cookie of this Set-Cookie header: for its own host only, and under none of the hub's names. */
  mayBeSet(setCookieHeader: string): boolean;
}

/** The cookie outlives the access, so that an expired access is distinguishable from a missing one. */
const extraLifetimeSecs = 24 * 3600;

/** Builds the cookie. The prefix `__Host-` binds it to its host and to HTTPS; with plain HTTP from other machines there is no such prefix. */
export function proxyCookie(isPlainHttp: boolean): ProxyCookie {
  const name = isPlainHttp ? 'proxy' : '__Host-proxy';
  const attributes = `; Path=/; HttpOnly; ${isPlainHttp ? '' : 'Secure; '}SameSite=Lax`;
  const own = new Set([name.toLowerCase(), '__host-proxy', '__host-session']);
  const isOwn = (pair: string): boolean => own.has(nameOf(pair));
  return {
    name,
    write: (token, validForSecs) =>
      `${name}=${token}; Max-Age=${validForSecs + extraLifetimeSecs}${attributes}`,
    clear: () => `${name}=; Max-Age=0${attributes}`,
    read: (header = '') =>
      header
        .split(';')
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(`${name}=`))
        ?.slice(name.length + 1),
    withoutOwn(header) {
      const kept = header.split(';').filter((pair) => pair.trim() !== '' && !isOwn(pair));
      return kept.length === 0 ? undefined : kept.join(';').trim();
    },
    mayBeSet(header) {
      const [pair = '', ...rest] = header.split(';');
      return !isOwn(pair) && !rest.some((attribute) => nameOf(attribute) === 'domain');
    },
  };
}

/** The name of a cookie or an attribute. A nameless cookie is identified by its value, since browsers send it without the equals sign. */
function nameOf(pair: string): string {
  const [name = ''] = pair
    .trim()
    .replace(/^=+\s*/, '')
    .split('=');
  return name.trim().toLowerCase();
}
