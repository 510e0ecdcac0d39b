import { Agent, buildConnector, request, type Dispatcher } from 'undici';
import { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { limits, outgoingAnswer } from '../../limits/table.ts';
import {
  AddressRefused,
  guardedLookup,
  mustBeAllowed,
  type AddressRule,
  type Resolve,
} from './address-rule.ts';
import { OutgoingError, type OutgoingFault } from './OutgoingError.ts';

/** Requests of the hub to servers that users name. */
export interface Outgoing {
  /** Sends a request and resolves with the whole answer, as the global `fetch` does. Rejects with an OutgoingError. */
  fetch(url: string | URL, init?: OutgoingRequest): Promise<Response>;
  close(): Promise<void>;
}

/** What is sent, as the global `fetch` takes it. */
export interface OutgoingRequest {
  readonly method?: string;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly body?: string | URLSearchParams | Uint8Array | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Parts {
  readonly rule: AddressRule;
  /** The resolver of the system by default. */
  readonly resolve?: Resolve;
  /** Overrides of `outgoingAnswer`. */
  readonly answer?: Partial<Record<keyof typeof outgoingAnswer, number>>;
}

/** Opens the one way by which the hub sends requests to servers that users name. */
export function openOutgoing({ rule, resolve, answer }: Parts): Outgoing {
  const { maxBytes, maxHeaderBytes, connectMs, totalMs } = { ...outgoingAnswer, ...answer };
  const connectTo = { timeout: connectMs, maxCachedSessions: 0, allowH2: false };
  const agent = new Agent({
    maxHeaderSize: maxHeaderBytes,
    connect(options, done) {
      const { hostname: host, port, protocol } = options;
      const isTls = protocol === 'https:';
      const target = { host, port: Number(port || (isTls ? 443 : 80)), isTls };
      try {
        mustBeAllowed(rule, target);
      } catch (error) {
        done(error as Error, null);
        return;
      }
      buildConnector({ ...connectTo, lookup: guardedLookup(rule, target, resolve) })(options, done);
    },
  });
  const turns = new FairSemaphore(
    limits.outgoingRequests,
    (caller) => new OutgoingError('Busy', new URL(caller).host),
  );
  return {
    async fetch(address, init = {}) {
      const url = webUrl(address);
      const signals = [AbortSignal.timeout(totalMs), ...(init.signal ? [init.signal] : [])];
      const signal = AbortSignal.any(signals);
      const release = await turns.take({ caller: url.origin }, signal).catch((error: unknown) => {
        throw outgoingError(error, url.host);
      });
      try {
        return await send(agent, url, { ...init, signal }, maxBytes);
      } catch (error) {
        throw outgoingError(error, url.host);
      } finally {
        release();
      }
    },
    close: () => agent.destroy(),
  };
}

function webUrl(address: string | URL): URL {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined;
  const isWeb = url !== undefined && ['http:', 'https:'].includes(url.protocol);
  if (!isWeb || url.username !== '' || url.password !== '')
    throw new OutgoingError('Refused', url?.host || 'The address');
  return url;
}

async function send(
  dispatcher: Dispatcher,
  url: URL,
  { method = 'GET', headers, body, signal }: OutgoingRequest,
  maxBytes: number,
): Promise<Response> {
  const sent = new Headers(headers);
  if (body instanceof URLSearchParams && !sent.has('content-type'))
    sent.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8');
  const response = await request(url, {
    dispatcher,
    method: method as Dispatcher.HttpMethod,
    headers: Object.fromEntries(sent),
    body: body instanceof URLSearchParams ? body.toString() : (body ?? null),
    signal: signal ?? null,
  });
  try {
    const { statusCode: status } = response;
    if (status >= 300 && status < 400) throw new OutgoingError('Redirects', url.host);
    if (status < 200 || status > 599) throw new OutgoingError('Malformed', url.host);
    const bytes = await read(response.body, url.host, maxBytes);
    const hasBody = ![204, 205].includes(status);
    return new Response(hasBody ? bytes : null, { status, headers: headersOf(response.headers) });
  } finally {
    response.body.on('error', () => undefined).destroy();
  }
}

async function read(
  body: AsyncIterable<Uint8Array>,
  host: string,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of body) {
    sizeBytes += piece.length;
    if (sizeBytes > maxBytes) throw new OutgoingError('TooLarge', host);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(received))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return headers;
}

const faults: Readonly<Record<string, OutgoingFault>> = {
  TimeoutError: 'TooSlow',
  AbortError: 'TooSlow',
  ConnectTimeoutError: 'TooSlow',
  HeadersTimeoutError: 'TooSlow',
  BodyTimeoutError: 'TooSlow',
  HeadersOverflowError: 'TooLarge',
  HTTPParserError: 'Malformed',
};

function outgoingError(error: unknown, host: string): OutgoingError {
  if (error instanceof OutgoingError) return error;
  if (error instanceof AddressRefused) return new OutgoingError('Refused', host, { cause: error });
  const { name = '', code = '' } = error as { name?: string; code?: string };
  const isOfCertificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code);
  return new OutgoingError(isOfCertificate ? 'Untrusted' : (faults[name] ?? 'Unreachable'), host, {
    cause: error,
  });
}
