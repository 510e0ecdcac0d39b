import type { IncomingHttpHeaders } from 'node:http';

/** What the preconditions of a request for a representation lead to (RFC 9110, 13.2.2). */
export type Preconditions = 'proceed' | 'ignoreRange' | 'notModified' | 'failed';

/** Evaluates the preconditions of a GET or HEAD. There is no modification date, so conditions on one are ignored, and If-Range with one is false. */
export function evaluatePreconditions(headers: IncomingHttpHeaders, etag: string): Preconditions {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, 'if-range': ifRange } = headers;
  if (ifMatch !== undefined && !lists(ifMatch, etag, false)) return 'failed';
  if (ifNoneMatch !== undefined && lists(ifNoneMatch, etag, true)) return 'notModified';
  return ifRange !== undefined && ifRange !== etag ? 'ignoreRange' : 'proceed';
}

function lists(header: string, etag: string, isWeak: boolean): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((entry) => {
    const tag = entry.trim();
    return tag === etag || (isWeak && tag === `W/${etag}`);
  });
}
