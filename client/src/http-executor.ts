import { ActionError, type ErrorKind, type ErrorReason } from '@corral/contract';
import type { Executor } from './executor.ts';

/** How to reach the hub. */
export interface HttpExecutorOptions {
  /** The hub's origin, such as `https://hub.example`; in a browser the page's own when absent. */
  readonly baseUrl?: string;
  /** A user token (`u_sk_…`); without it the browser's session cookie authenticates. */
  readonly token?: string;
  readonly fetch?: typeof fetch;
  /** Parses the answers, or promises them; JSON.parse when absent. */
  readonly parse?: (text: string) => unknown;
}

const kindByStatus: Readonly<Record<number, ErrorKind>> = {
  400: 'Invalid',
  401: 'NotSignedIn',
  403: 'Forbidden',
  404: 'UnknownAction',
  413: 'TooLarge',
  429: 'Throttled',
  // A load balancer answers so after a hub behind it has stopped.
  502: 'NotReady',
  503: 'NotReady',
  504: 'NotReady',
};

/** Runs actions by `POST /api/v1/actions/invoke/{name}`. An unreachable hub is an `ActionError` of kind NotReady. */
export function httpExecutor(options: HttpExecutorOptions = {}): Executor {
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  const { parse = JSON.parse } = options;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
  return {
    async invoke(name, input, { signal } = {}) {
      const url = `${options.baseUrl ?? ''}/api/v1/actions/invoke/${name}`;
      const body = JSON.stringify(input);
      const response = await reach(() =>
        send(url, {
          method: 'POST',
          headers,
          body,
          credentials: 'same-origin',
          ...(signal === undefined ? {} : { signal }),
        }),
      );
      if (!response.ok) throw await errorOf(response);
      // The connection may also end within the answer.
      return parse(await reach(() => response.text())) as never;
    },
  };
}

/** The error that an unsuccessful response describes. */
export async function errorOf(response: Response): Promise<ActionError> {
  const body = (await response.json().catch(() => ({}))) as {
    message?: unknown;
    requestId?: unknown;
    reason?: ErrorReason;
  };
  const message =
    typeof body.message === 'string' ? body.message : `The hub answered with status ${response.status}.`;
  const retryAfterSecs = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  const requestId =
    typeof body.requestId === 'string' ? body.requestId : response.headers.get('x-request-id');
  return new ActionError(kindByStatus[response.status] ?? 'Internal', message, {
    ...(Number.isNaN(retryAfterSecs) ? {} : { retryAfterSecs }),
    ...(requestId === null ? {} : { requestId }),
    ...(body.reason === undefined ? {} : { reason: body.reason }),
  });
}

/** Sends a request, or reads its answer; a network failure becomes an `ActionError` of kind NotReady. */
export async function reach<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (cause) {
    throw new ActionError('NotReady', 'The hub cannot be reached.', { cause });
  }
}
