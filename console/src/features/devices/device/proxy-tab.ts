/** A blank tab that waits for its URL. */
export interface BlankTab {
  navigate(url: string): void;
  close(): void;
}

/**
 * Opens a blank tab without access to this page (no opener). Call it synchronously in the click handler: browsers block it later.
 * Undefined when the browser blocked it.
 */
export function openBlankTab(): BlankTab | undefined {
  const tab = window.open('about:blank', '_blank');
  if (tab === null) return undefined;
  tab.opener = null;
  return { navigate: (url) => tab.location.replace(url), close: () => tab.close() };
}

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
