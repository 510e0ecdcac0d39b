import type { IncomingMessage } from 'node:http';
import { isProxyToken } from '../../auth/proxy-token.ts';
import { ProxyFailure } from './ProxyFailure.ts';

/** The target of a request: a page of the device, or the redemption of an entry token. */
export interface RequestTarget {
  /** Path and query without the entry token. */
  readonly path: string;
  readonly entryToken: string | undefined;
}

const isEntry = (part: string): boolean =>
  part.startsWith('token=') && isProxyToken('entry', part.slice('token='.length));

/** Whether the query of a URL has the form of a redemption of an entry token. */
export function hasEntryToken(url: string): boolean {
  return url.includes('token=') && (splitOnce(url, '?')[1]?.split('&') ?? []).some(isEntry);
}

const unsupported = new Set(['CONNECT', 'TRACE']);

/** Parses the target of a request. A parameter `token` that is no entry token belongs to the device. Throws a ProxyFailure. */
export function readTarget({ method = '', url = '' }: IncomingMessage): RequestTarget {
  if (unsupported.has(method)) throw new ProxyFailure('unsupported');
  if (!hasEntryToken(url)) return { path: url, entryToken: undefined };
  // A redirect to a path that begins with two slashes would lead to another host.
  const path = url.replace(/^[/\\]{2,}/, '/');
  const [before, query] = splitOnce(path, '?');
  const parts = query?.split('&') ?? [];
  const entry = parts.find(isEntry);
  const rest = parts.filter((part) => !isEntry(part)).join('&');
  return {
    path: rest === '' ? before : `${before}?${rest}`,
    entryToken: entry?.slice('token='.length),
  };
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
