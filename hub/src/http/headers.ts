import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/addresses.ts';

/** The fixed response headers by kind of route. */
export interface HeaderSets {
  /** For every answer. */
  readonly everywhere: Readonly<Record<string, string>>;
  /** For the API and the health and metrics routes. */
  readonly api: Readonly<Record<string, string>>;
  readonly pages: Readonly<Record<string, string>>;
}

/** Creates the fixed headers. */
export function headerSets(config: Config, version: string): HeaderSets {
  const everywhere = {
    'x-corral-version': version,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // Browsers complain about this header where the origin is not trustworthy.
    ...(config.isInsecure ? {} : { 'cross-origin-opener-policy': 'same-origin' }),
    ...strictTransport(config.publicUrl),
  };
  return {
    everywhere,
    api: {
      ...everywhere,
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    },
    pages: { ...everywhere, 'content-security-policy': contentSecurityPolicy(config) },
  };
}

function strictTransport(publicUrl: string): Record<string, string> {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol !== 'https:' || isLoopback(hostname)) return {};
  return { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };
}

function contentSecurityPolicy({ scripts, publicUrl }: Config): string {
  const own = new URL(publicUrl).origin;
  const origins = new Set(
    scripts.map(({ src }) => new URL(src, publicUrl).origin).filter((one) => one !== own),
  );
  return [
    "default-src 'self'",
    ["script-src 'self'", ...origins].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ');
}
