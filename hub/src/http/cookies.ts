/** The session cookie: its name, and how to write, clear and read it. */
export interface SessionCookie {
  readonly name: string;
  /** The value of a Set-Cookie header; without maxAgeSecs it is a session cookie of the browser. */
  write(sessionToken: string, maxAgeSecs?: number): string;
  clear(): string;
  /** The session token that a Cookie header carries, if any. */
  read(cookieHeader: string | undefined): string | undefined;
}

/**
 * Creates the cookie. Its `__Host-` prefix binds it to the host and to HTTPS, except where the public address is plain HTTP and not
 * loopback. Session tokens need no encoding.
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
