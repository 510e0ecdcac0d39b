import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { oneLine } from '../messages/plain-text.ts';
import type { Outgoing } from './open-outgoing.ts';
import { OutgoingError } from './OutgoingError.ts';

/** Where logs go. */
interface Collector {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What became of a request: accepted, but for some records; refused for what is in it; not taken now, so that it is sent again; or not even sent, because the hub has too many requests
 * to this server.
 */
export type LogsAnswer =
  | { readonly kind: 'Accepted'; readonly rejected: number; readonly error: string | undefined }
  | { readonly kind: 'Refused'; readonly error: string }
  | { readonly kind: 'NotTaken'; readonly error: string; readonly retryAfterSecs: number | undefined }
  | { readonly kind: 'NotSent' };

const compress = promisify(gzip);
const fastest = { level: 1 };

/** Sends logs, as OTLP/HTTP has them in JSON, and says how the collector took them. */
export async function sendLogs(
  outgoing: Pick<Outgoing, 'fetch'>,
  { endpoint, headers }: Collector,
  body: string,
): Promise<LogsAnswer> {
  const { host } = new URL(endpoint);
  try {
    const response = await outgoing.fetch(endpoint, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'user-agent': 'Corral-OTLP/1.0',
      },
      body: await compress(body, fastest),
    });
    return await answerOf(response, host);
  } catch (error) {
    if (!(error instanceof OutgoingError))
      return { kind: 'NotTaken', error: 'The records could not be sent.', retryAfterSecs: undefined };
    return error.fault === 'Busy'
      ? { kind: 'NotSent' }
      : { kind: 'NotTaken', error: error.message, retryAfterSecs: undefined };
  }
}

/** Of these statuses the records are not the cause, but the address, its secrets, or the load. */
const notAboutRecords = new Set([401, 402, 403, 404, 405, 407, 408, 415, 421, 425, 429]);

async function answerOf(response: Response, host: string): Promise<LogsAnswer> {
  const { status, headers } = response;
  if (status >= 200 && status < 300) return acceptedIn(await response.text(), host);
  const error = `${host} answered with the status ${status}.`;
  const isRefused = status >= 400 && status < 500 && !notAboutRecords.has(status);
  return isRefused
    ? { kind: 'Refused', error }
    : { kind: 'NotTaken', error, retryAfterSecs: retryAfterOf(headers) };
}

const longestMessage = 200;

/** Also an answer that is no JSON is one that accepts. */
function acceptedIn(text: string, host: string): LogsAnswer {
  const partial = partialSuccessOf(text);
  const rejected = Math.max(0, Math.trunc(Number(partial?.['rejectedLogRecords'] ?? 0))) || 0;
  const message = oneLine(String(partial?.['errorMessage'] ?? ''), longestMessage);
  if (rejected === 0 && message === '') return { kind: 'Accepted', rejected: 0, error: undefined };
  const says = message === '' ? '.' : `: "${message}".`;
  const error = rejected === 0 ? `${host} warns${says}` : `${host} rejected ${rejected} records${says}`;
  return { kind: 'Accepted', rejected, error };
}

function partialSuccessOf(text: string): Record<string, unknown> | undefined {
  try {
    const answer = JSON.parse(text) as { partialSuccess?: Record<string, unknown> } | null;
    return answer?.partialSuccess ?? undefined;
  } catch {
    return undefined;
  }
}

/** In seconds; a date is not taken, since it is by the clock of the collector. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
