import type { IncomingMessage, ServerResponse } from 'node:http';
import { ActionError, encodeMessage, errorKinds, messageHeader } from '@corral/contract';
import { StorageError, type StorageFault } from '../../domains/assets/storage/asset-storage.ts';
import { UnsyncedError } from '../../domains/assets/storage/disk/file-faults.ts';
import { TransferFailure } from './TransferFailure.ts';
import type { TransfersContext } from './transfers-context.ts';

const statusOf: Record<StorageFault, number> = {
  DigestMismatch: 422,
  SizeMismatch: 422,
  Full: 507,
  Missing: 500,
  Unreadable: 500,
  Unreachable: 503,
  Refused: 502,
};

/** The failure for anything that was thrown during a transfer. */
export function failureOf({ parts }: TransfersContext, error: unknown): TransferFailure {
  if (error instanceof TransferFailure) return error;
  if (error instanceof StorageError) {
    const { fault, message } = error;
    if (error instanceof UnsyncedError) parts.log.error({ err: error }, 'bytes could not be made durable');
    const retry = fault === 'Unreachable' ? { retryAfterSecs: 5 } : {};
    return new TransferFailure(statusOf[fault], message, { ...retry, cause: error });
  }
  if (error instanceof ActionError) {
    const { retryAfterSecs } = error;
    const retry = retryAfterSecs === undefined ? {} : { retryAfterSecs };
    return new TransferFailure(errorKinds[error.kind].status, error.message, { ...retry, cause: error });
  }
  parts.log.error({ err: error }, 'a transfer failed unexpectedly');
  return new TransferFailure(500, 'Something went wrong in the hub.', { cause: error });
}

const kindOf = (status: number): string => {
  if (status === 403) return 'Forbidden';
  return status >= 500 ? 'Internal' : 'Invalid';
};

/**
 * Answers a failed request. If its body is still coming, the answer is sent at once, and the connection closes once the client has noticed: closing it at once
 * could take the answer away from a client that is still sending.
 */
export function sendFailure(
  { limits }: TransfersContext,
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, retryAfterSecs, headers }: TransferFailure,
): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const body = JSON.stringify({ kind: kindOf(status), message });
  const isUnread = hasBody(request) && !request.readableEnded;
  response.writeHead(status, {
    ...headers,
    ...(request.method === 'HEAD' ? { [messageHeader]: encodeMessage(message) } : {}),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(retryAfterSecs === undefined ? {} : { 'retry-after': String(retryAfterSecs) }),
    ...(isUnread ? { connection: 'close' } : {}),
  });
  if (!isUnread) return void response.end(request.method === 'HEAD' ? undefined : body);
  response.write(body);
  linger(request, response, limits);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads on for a moment and ends the response then. */
function linger(
  request: IncomingMessage,
  response: ServerResponse,
  { lingerMs, lingerBytes }: TransfersContext['limits'],
): void {
  let left = lingerBytes;
  const finish = (): void => {
    clearTimeout(timer);
    request.off('data', count);
    response.end();
  };
  const timer = setTimeout(finish, lingerMs);
  const count = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) finish();
  };
  request.on('error', () => undefined);
  request.on('data', count);
  request.once('end', finish).once('close', finish);
  request.resume();
}
