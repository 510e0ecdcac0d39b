/** The cookie by which a browser opens a device's page: its name, and how it is written, cleared, read and kept from the device. */
export interface ProxyCookie {
  readonly name: string;
  /** The value of a Set-Cookie header. */
  write(accessToken: string, validForSecs: number): string;
  clear(): string;
  /** The access token that a Cookie header carries, if any. */
  read(cookieHeader: string | undefined): string | undefined;
  /** The Cookie header without what is the hub's own; undefined when nothing is left. */
  withoutOwn(cookieHeader: string): string | undefined;
  /** Tells whether a device may set the cookie of this Set-Cookie header: for its own host alone, and under no name of ours. */
  mayBeSet(setCookieHeader: string): boolean;
}

/** The cookie outlives the access, so that a browser can be told that the access is over. */
const outlivesBySecs = 24 * 3600;

/** Shapes the cookie: bound to host and HTTPS by its prefix, but where the site is plain HTTP and no loopback. */
export function proxyCookie(isPlain: boolean): ProxyCookie {
  const name = isPlain ? 'proxy' : '__Host-proxy';
  const attributes = `; Path=/; HttpOnly; ${isPlain ? '' : 'Secure; '}SameSite=Lax`;
  const own = new Set([name.toLowerCase(), '__host-proxy', '__host-session']);
  const isOwn = (pair: string): boolean => own.has(nameOf(pair));
  return {
    name,
    write: (token, validForSecs) => `${name}=${token}; Max-Age=${validForSecs + outlivesBySecs}${attributes}`,
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

/** The name of a cookie or an attribute. A cookie without a name is known by its value, since browsers send it as if that were all. */
function nameOf(pair: string): string {
  const [name = ''] = pair
    .trim()
    .replace(/^=+\s*/, '')
    .split('=');
  return name.trim().toLowerCase();
}
