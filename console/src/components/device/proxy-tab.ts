/** A new tab that waits for its address. */
export interface WaitingTab {
  go(url: string): void;
  close(): void;
}

/**
 * Opens a tab that cannot reach back to this page. Call it in the click itself: later no browser lets it through. Undefined where one
 * was refused nevertheless.
 */
export function openWaitingTab(): WaitingTab | undefined {
  const tab = window.open('about:blank', '_blank');
  if (tab === null) return undefined;
  tab.opener = null;
  return { go: (url) => tab.location.replace(url), close: () => tab.close() };
}

/** The address of a place on the same web page: a path that a device names, which leads nowhere else. */
export function withPath(url: string, path: string | undefined): string {
  const address = new URL(url);
  if (path === undefined || !URL.canParse(path, address.origin)) return url;
  const place = new URL(path, address.origin);
  if (place.origin !== address.origin) return url;
  address.pathname = place.pathname;
  address.hash = place.hash;
  for (const [name, value] of place.searchParams) address.searchParams.append(name, value);
  return address.href;
}
