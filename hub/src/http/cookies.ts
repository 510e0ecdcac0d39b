/** The session cookie of this hub: its name, and how it is written, cleared and read. */
export interface SessionCookie {
  readonly name: string;
  /** The value of a Set-Cookie header; without an age the cookie ends with the browser. */
  write(sessionToken: string, maxAgeSecs?: number): string;
  clear(): string;
  /** The session token that a Cookie header carries, if any. */
  read(cookieHeader: string | undefined): string | undefined;
}

/**
 * Shapes the cookie: bound to host and HTTPS by its prefix, but where the public address is plain HTTP and no loopback.
 * Session tokens need no encoding.
 */
export function sessionCookie(isInsecure: boolean): SessionCookie {
  const name = isInsecure ? 'session' : '__Host-session';
  const attributes = `; Path=/; HttpOnly; ${isInsecure ? '' : 'Secure; '}SameSite=Lax`;
  const pattern = new RegExp(`(?:^|;)[ \\t]*${name}=([^;]*)`);
  return {
    name,
    write: (sessionToken, maxAgeSecs) =>
      `${name}=${sessionToken}${maxAgeSecs === undefined ? '' : `; Max-Age=${maxAgeSecs}`}${attributes}`,
    clear: () => `${name}=; Max-Age=0${attributes}`,
    read: (header) => (header === undefined ? undefined : pattern.exec(header)?.[1]?.trim()),
  };
}
