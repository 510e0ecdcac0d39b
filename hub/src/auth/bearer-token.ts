/** Blanks, and the marks that copied texts end with; Node.js reads a header as Latin-1, so those of UTF-8 are several characters. */
const around = String.raw`(?:[\s\u00C2]|\u00EF\u00BB\u00BF)*`;
const pattern = new RegExp(String.raw`^Bearer ${around}([\x21-\x7E]+)${around}$`, 'i');

/** The token of an `Authorization: Bearer` header, without what surrounds it; undefined where there is none. */
export function bearerToken(authorization: string): string | undefined {
  const token = pattern.exec(authorization)?.[1];
  // A copy: a short slice would keep a long header in memory.
  return token === undefined ? undefined : Buffer.from(token, 'latin1').toString('latin1');
}
