import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { failureWords, type FailureWords } from './failure-words.ts';
import type { ProxyFailure } from './ProxyFailure.ts';

/** What a failure is told with. */
export interface FailureSetting {
  /** The origin of the console, to which the page leads. */
  readonly consoleOrigin: string;
  readonly clearCookie: string;
  /** The port of the device, where it is known. */
  readonly port: number | undefined;
}

const style = `
:root { color-scheme: light dark; --canvas: #f6f4ee; --card: #fffdf8; --ink: #22271f; --soft: #5b6156; --line: #ddd8ca; --accent: #2f6b3f; --on-accent: #fff }
@media (prefers-color-scheme: dark) { :root { --canvas: #171a16; --card: #1f231d; --ink: #ecebe3; --soft: #a6aa9d; --line: #363b32; --accent: #8fc79b; --on-accent: #12200f } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--canvas); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
main { width: 100%; max-width: 34rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 2rem 2rem 1.75rem }
svg { display: block; margin-bottom: 1.25rem; color: var(--accent) }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance }
p { margin: 0 0 .75rem; text-wrap: pretty }
.advice { color: var(--soft) }
a { display: inline-block; margin-top: .5rem; padding: .5rem 1rem; border-radius: 8px; background: var(--accent); color: var(--on-accent); text-decoration: none; font-weight: 600 }
a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
footer { margin-top: 1.5rem; padding-top: .75rem; border-top: 4px double var(--line); color: var(--soft); font-size: .875rem }
`;

const styleHash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A gate with three rails. */
const mark =
  '<svg width="44" height="32" viewBox="0 0 44 32" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" aria-hidden="true"><path d="M6 2v28M38 2v28M6 8h32M6 16h32M6 24h32"/></svg>';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (symbol) => escapes[symbol] ?? '');

function htmlOf({ status, title, text, advice }: FailureWords, consoleOrigin: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head>
<body><main>${mark}<h1>${title}</h1><p>${text}</p><p class="advice">${advice}</p><a href="${escaped(consoleOrigin)}/">Open Corral</a><footer>Status ${status}. This page comes from Corral, not from the device.</footer></main></body>
</html>
`;
}

function textOf({ title, text, advice }: FailureWords, consoleOrigin: string): string {
  return `${title}.\n\n${text}\n${advice}\n${consoleOrigin}/\n`;
}

/** The headers of everything that the proxy itself says. */
export const ownHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'accept, cookie',
};

/** Tells a failure: as a page to browsers, as text to programs, or by leading a browser to where it may come in again. */
export function sendFailure(
  request: IncomingMessage,
  response: ServerResponse,
  failure: ProxyFailure,
  { consoleOrigin, clearCookie, port }: FailureSetting,
): void {
  const isPage = (request.headers.accept ?? '').includes('text/html');
  const words = failureWords(failure.failure, port);
  response.setHeaders(new Map(Object.entries({ ...ownHeaders, 'x-corral-failure': failure.failure })));
  if (['expired', 'withdrawn'].includes(failure.failure)) response.setHeader('set-cookie', clearCookie);
  // What the page has left in this browser is for those who may access the device.
  if (failure.failure === 'withdrawn') response.setHeader('clear-site-data', '"cache", "cookies", "storage"');
  if (words.retryAfterSecs !== undefined) response.setHeader('retry-after', String(words.retryAfterSecs));
  // What was not read of a body is not waited for.
  if (!request.complete) response.setHeader('connection', 'close');
  if (isPage && request.method === 'GET' && failure.redirect !== undefined) {
    response.writeHead(303, { location: failure.redirect }).end();
    return;
  }
  const body = isPage ? htmlOf(words, consoleOrigin) : textOf(words, consoleOrigin);
  response.writeHead(words.status, {
    'content-type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
