const ownPath = /^\/(?![/\\])/;

/** The target of `?redirect=` on this site; undefined when it is missing, leads to another site, or back to the sign-in page. */
export function redirectTarget(value: unknown, origin = window.location.origin): string | undefined {
  if (typeof value !== 'string' || !ownPath.test(value)) return undefined;
  const url = URL.canParse(value, origin) ? new URL(value, origin) : undefined;
  if (url === undefined || url.origin !== origin) return undefined;
  // A path such as /.//host leads to another site only after its dot segments are removed.
  if (!ownPath.test(url.pathname) || url.pathname === '/login') return undefined;
  return url.pathname + url.search + url.hash;
}
