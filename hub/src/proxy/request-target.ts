import type { IncomingMessage } from 'node:http';
import { isProxyToken } from '../auth/proxy-token.ts';
import { ProxyFailure } from './ProxyFailure.ts';

/** What a request asks for: a page of the device, or to come in by a token. */
export interface RequestTarget {
  /** Path and query without the token. */
  readonly path: string;
  readonly entryToken: string | undefined;
}

const unsupported = new Set(['CONNECT', 'TRACE']);

/** Reads the target of a request. A `token` that is not meant to be one of ours is the device's own affair. Throws a ProxyFailure. */
export function readTarget({ method = '', url = '' }: IncomingMessage): RequestTarget {
  if (unsupported.has(method)) throw new ProxyFailure('unsupported');
  if (!url.includes('token=')) return { path: url, entryToken: undefined };
  // Where a path begins like this, a redirect to it would lead to another host.
  const path = url.replace(/^[/\\]{2,}/, '/');
  const [before = '', query] = splitOnce(path, '?');
  const parts = query?.split('&') ?? [];
  const isEntry = (part: string): boolean =>
    part.startsWith('token=') && isProxyToken('entry', part.slice('token='.length));
  const entry = parts.find(isEntry);
  if (entry === undefined) return { path: url, entryToken: undefined };
  const rest = parts.filter((part) => !isEntry(part)).join('&');
  return {
    path: rest === '' ? before : `${before}?${rest}`,
    entryToken: entry.slice('token='.length),
  };
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
