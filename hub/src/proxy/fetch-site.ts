import type { IncomingMessage } from 'node:http';

/**
 * Tells whether a request may use the cookie: it comes from the device's own pages, or a person opens the page. Host names of other
 * devices can count as the same site, so the cookie's own rule does not keep their pages out.
 */
export function isFromOwnPages({ method, headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return true;
  if (site === undefined) return headers.origin === undefined || isOwnOrigin(headers);
  return (
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  );
}

/** Tells whether the header Origin names the host that is asked; its port counts where the header Host has one, which some proxies leave out. */
export function isOwnOrigin({ origin, host = '' }: IncomingMessage['headers']): boolean {
  if (origin === undefined || !/^https?:/.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, host: from, hostname } = new URL(origin);
  if (!/:\d+$/.test(host)) return hostname === host.toLowerCase();
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === from;
}
