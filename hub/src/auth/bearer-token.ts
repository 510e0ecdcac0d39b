/**
 * The token of an `Authorization: Bearer` header; undefined unless exactly one blank and one token follow the scheme. With more blanks
 * a short token would be a slice that keeps a long header in memory.
 */
export function bearerToken(authorization: string): string | undefined {
  return /^Bearer (\S+)$/i.exec(authorization)?.[1];
}
