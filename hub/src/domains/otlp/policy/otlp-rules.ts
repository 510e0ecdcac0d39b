import { ActionError } from '@corral/contract';
import type { Headers } from '../sql/exports.ts';

/** Stands for the value of a header that is not shown. */
export const mask = '***';

/** The URL of a collector in its normal form. Throws an `ActionError` of kind Invalid. Whether the hub may connect to it is found out when it does. */
export function mustBeCollector(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new ActionError(
      'Invalid',
      'The endpoint must be the whole URL for logs, such as https://collector.example:4318/v1/logs, without a user name or a password.',
    );
  return url.href;
}

const mostHeaders = 20;
const longestValue = 4_096;
/** What the hub sets itself, or what says where a request ends. */
const ownHeaders = new Set([
  'accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type', 'expect', 'host', 'keep-alive',
  'te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent',
]); // prettier-ignore

/** Requires that headers can be sent. Throws an `ActionError` of kind Invalid. */
export function mustBeHeaders(headers: Headers): void {
  const names = Object.keys(headers);
  if (names.length > mostHeaders)
    throw new ActionError('Invalid', `There may be at most ${mostHeaders} headers.`);
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    throw new ActionError('Invalid', 'Each header may be given only once.');
  for (const [name, value] of Object.entries(headers)) mustBeHeader(name, value);
}

function mustBeHeader(name: string, value: string): void {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name))
    throw new ActionError('Invalid', `A header cannot be named "${name.slice(0, 100)}".`);
  if (ownHeaders.has(name.toLowerCase()))
    throw new ActionError('Invalid', `The hub sets the header "${name}" itself.`);
  if (value.length > longestValue || !/^[\t\x20-\x7e]*$/.test(value))
    throw new ActionError(
      'Invalid',
      `The value of the header "${name}" may have at most ${longestValue} characters, all of them ASCII.`,
    );
}

/**
 * The headers of a new configuration, with the stored value in place of each mask. Throws an `ActionError` of kind Invalid where there is none, and where the endpoint is on another
 * server: whoever changes it would learn the values.
 */
export function unmasked(
  given: Headers,
  stored: { readonly headers: Headers; readonly endpoint: string | undefined },
  endpoint: string | undefined,
): Headers {
  const former = new Map(Object.entries(stored.headers).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (value !== mask) return [name, value];
      const kept = former.get(name.toLowerCase());
      if (kept === undefined)
        throw new ActionError('Invalid', `The header "${name}" has no value yet: give one.`);
      if (originOf(endpoint) !== originOf(stored.endpoint))
        throw new ActionError(
          'Invalid',
          `The endpoint is on another server: give the value of the header "${name}" again.`,
        );
      return [name, kept];
    }),
  );
}

const originOf = (url: string | undefined): string | undefined => url && new URL(url).origin;
