import type { IncomingMessage } from 'node:http';

/**
 * Whether a request may use the cookie: it comes from the device's own pages, or a user navigates to the page. SameSite does not ensure
 * this, since the host names of two devices can be the same site.
 */
export function isFromOwnPages({ method, headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return true;
  if (site === undefined) return headers.origin === undefined || isSameOrigin(headers);
  return (
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  );
}

/** Whether the header Origin names the requested host. The port is compared only if the header Host has one, since some reverse proxies omit it. */
export function isSameOrigin({ origin, host = '' }: IncomingMessage['headers']): boolean {
  if (origin === undefined || !/^https?:/.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, host: from, hostname } = new URL(origin);
  if (!/:\d+$/.test(host)) return hostname === host.toLowerCase();
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === from;
}
