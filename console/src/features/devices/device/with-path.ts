/** Adds the path that a device names to the proxy URL; ignored when it would lead to another origin. */
export function withPath(url: string, path: string | undefined): string {
  const address = new URL(url);
  if (path === undefined || !URL.canParse(path, address.origin)) return url;
  const target = new URL(path, address.origin);
  if (target.origin !== address.origin) return url;
  address.pathname = target.pathname;
  address.hash = target.hash;
  for (const [name, value] of target.searchParams) address.searchParams.append(name, value);
  return address.href;
}
