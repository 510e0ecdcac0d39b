/**
 * The token of an `Authorization: Bearer` header; undefined unless exactly one blank and one token follow the scheme. More blanks are
 * refused, because the token would be a slice that keeps the whole header in memory.
 */
export function bearerToken(authorization: string): string | undefined {
  return /^Bearer (\S+)$/i.exec(authorization)?.[1];
}
