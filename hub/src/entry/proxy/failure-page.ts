import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { failureText, type FailureText } from './failure-texts.ts';
import type { ProxyFailure } from './ProxyFailure.ts';

/** What an error page needs besides the failure. */
export interface FailurePageContext {
  /** The origin of the console, to which the page links. */
  readonly consoleOrigin: string;
  readonly clearCookie: string;
  /** Where the console serves its font; undefined before it is built. */
  readonly fontUrl: string | undefined;
  /** The port of the device, where it is known. */
  readonly port: number | undefined;
}

// The console's colours, shapes and font, which browsers fetch from the console, since a device's host serves nothing of the hub.
const style = `
:root { color-scheme: light dark; --canvas: light-dark(#f6f3ec, #15130e); --card: light-dark(#fffdf8, #1d1a14); --ink: light-dark(#211c14, #f2ede3); --soft: light-dark(#564e40, #c2b9a8); --line: light-dark(#dcd5c6, #373227); --denim: light-dark(#2f4a8c, #9ab2f2); --on-denim: light-dark(#fff, #14120d); --rivet: light-dark(#9a4b22, #e6a074) }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--canvas); color: var(--ink); font: .9375rem/1.5 "Corral", system-ui, sans-serif }
main { width: 100%; max-width: 30rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 2rem 2rem 1.5rem }
svg { display: block; margin-bottom: 1rem; fill: var(--denim) }
circle { fill: var(--rivet) }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em; text-wrap: balance }
p { margin: 0 0 .5rem; text-wrap: pretty }
.advice { color: var(--soft) }
a { display: inline-block; margin-top: .75rem; padding: .45rem .9rem; border-radius: 4px; background: var(--denim); color: var(--on-denim); text-decoration: none; font-weight: 600; font-size: .875rem }
a:focus-visible { outline: 2px solid var(--denim); outline-offset: 2px }
footer { margin-top: 1.75rem; padding-top: .75rem; border-top: 4px double var(--line); color: var(--soft); font-size: .8125rem }
`;

/** The style of the page with its font, and the policy that allows both. */
function styleWith(fontUrl: string | undefined): { readonly style: string; readonly policy: string } {
  const face =
    fontUrl === undefined
      ? ''
      : `@font-face { font-family: "Corral"; src: url("${fontUrl}") format("woff2"); font-weight: 200 800; font-display: swap }`;
  const withFont = face + style;
  const hash = createHash('sha256').update(withFont).digest('base64');
  const fonts = fontUrl === undefined ? '' : ` font-src ${fontUrl};`;
  return {
    style: withFont,
    policy: `default-src 'none'; style-src 'sha256-${hash}';${fonts} base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

const plain = styleWith(undefined);

/** The logo of Corral. */
const logoBars = [-133, -95, -57, -19, 19, 57, 95, 133].map(
  (degrees) =>
    `<rect x="10.85" y="1.4" width="2.3" height="5.6" rx="1.15" transform="rotate(${degrees} 12 12)"/>`,
);
const mark = `<svg width="40" height="40" viewBox="0 0 24 24" aria-hidden="true">${logoBars.join('')}<circle cx="12" cy="12" r="2.7"/></svg>`;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (symbol) => escapes[symbol] ?? '');

function htmlOf({ status, title, text, advice }: FailureText, consoleOrigin: string, css: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${css}</style></head>
<body><main>${mark}<h1>${title}</h1><p>${text}</p><p class="advice">${advice}</p><a href="${escaped(consoleOrigin)}/">Open Corral</a><footer>Status ${status}. This page comes from Corral, not from the device.</footer></main></body>
</html>
`;
}

function textOf({ title, text, advice }: FailureText, consoleOrigin: string): string {
  return `${title}.\n\n${text}\n${advice}\n${consoleOrigin}/\n`;
}

/** The headers of every response that the proxy itself creates. */
export const proxyHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': plain.policy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'accept, cookie',
};

/** Sends a failure: a page to browsers, text to programs, or a redirect to where a browser can get a new token. */
export function sendFailure(
  request: IncomingMessage,
  response: ServerResponse,
  failure: ProxyFailure,
  { consoleOrigin, clearCookie, port, fontUrl }: FailurePageContext,
): void {
  const isPage = (request.headers.accept ?? '').includes('text/html');
  const texts = failureText(failure.failure, port);
  response.setHeaders(new Map(Object.entries({ ...proxyHeaders, 'x-corral-failure': failure.failure })));
  if (['expired', 'withdrawn'].includes(failure.failure)) response.setHeader('set-cookie', clearCookie);
  // The page may have stored data of the device, which this user may no longer read.
  if (failure.failure === 'withdrawn') response.setHeader('clear-site-data', '"cache", "cookies", "storage"');
  if (texts.retryAfterSecs !== undefined) response.setHeader('retry-after', String(texts.retryAfterSecs));
  // Do not wait for the rest of the request's body.
  if (!request.complete) response.setHeader('connection', 'close');
  if (isPage && request.method === 'GET' && failure.redirect !== undefined) {
    response.writeHead(303, { location: failure.redirect }).end();
    return;
  }
  const page = isPage ? styleWith(fontUrl) : undefined;
  if (page !== undefined) response.setHeader('content-security-policy', page.policy);
  const body = page === undefined ? textOf(texts, consoleOrigin) : htmlOf(texts, consoleOrigin, page.style);
  response.writeHead(texts.status, {
    'content-type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
