import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import * as tls from 'node:tls';
import { createHubClock, httpExecutor, openLink, trustedAuthorities, type Executor } from '@corral/client';
import { parseExactJson } from '@corral/contract';
import {
  hasSystemStore,
  lookupPeer,
  secureAgent,
  secureRequests,
  transferHttp,
  type TransferHttp,
} from '@corral/client/node';
import type { MultiplexConnection } from '@corral/multiplex';
import { WebSocket } from 'ws';
import { CliError } from '../CliError.ts';
import { version as programVersion } from '../version.ts';
import { hubFetch, type TlsSettings } from './hub-fetch.ts';

/** The hub, with the rights of the token's user. */
export interface Hub extends Executor {
  readonly url: string;
  /** The hub's time in milliseconds since the epoch; that of this machine before the first answer. */
  nowMs(): number;
  /** The version of the hub; undefined before its first answer. */
  readonly version: string | undefined;
  /** Opens a multiplexed connection; the caller ticks it. Rejected with a ConnectError. */
  openLink(signal: AbortSignal): Promise<MultiplexConnection>;
  /** Opens a WebSocket at a path of the hub; errors and refusals are events of it. */
  openSocket(path: string): WebSocket;
  /** Creates a client for issued URLs, which may lead to other servers and never see the token; the caller closes it. */
  transferHttp(): TransferHttp;
  /** The header with which requests have the rights of the token's user. */
  readonly authorization: string;
}

/** Creates a client of a hub without sending anything; without a token it calls anonymously. Throws a CliError when the authorities cannot be read. */
export function createHub(
  { hubUrl, token }: { readonly hubUrl: string; readonly token: string | undefined },
  env: NodeJS.ProcessEnv,
): Hub {
  const tlsOptions = hubUrl.startsWith('https:') ? tlsSettings(env) : undefined;
  let version: string | undefined;
  const clock = createHubClock();
  const executor = httpExecutor({
    parse: parseExactJson,
    baseUrl: hubUrl,
    ...(token === undefined ? {} : { token }),
    fetch: hubFetch({ hubUrl, tls: tlsOptions, clock, onVersion: (named) => (version = named || undefined) }),
  });
  const authorization = `Bearer ${token}`;
  return {
    ...executor,
    url: hubUrl,
    authorization,
    nowMs: () => clock.at(),
    get version() {
      return version;
    },
    openLink: (signal) =>
      openLink({
        hubUrl,
        headers: {
          Authorization: authorization,
          'X-User-Token': token ?? '',
          'X-Register-Connection': 'true',
        },
        info: `corral-cli/${programVersion()}`,
        request: (url, form) =>
          tlsOptions === undefined
            ? httpRequest(url, { ...form, lookup: lookupPeer })
            : tlsOptions.requests.request(url, {
                ...form,
                secureContext: tlsOptions.secureContext,
                lookup: lookupPeer,
              }),
        signal,
      }),
    openSocket: (path) =>
      new WebSocket(`${hubUrl.replace(/^http/, 'ws')}${path}`, {
        headers: { Authorization: authorization },
        ...socketOptions(hubUrl, tlsOptions, env),
      }),
    transferHttp: () =>
      transferHttp({ secureContext: tlsOptions?.secureContext ?? secureContextOf(env), env }),
  };
}

const socketOptions = (hubUrl: string, tlsOptions: TlsSettings | undefined, env: NodeJS.ProcessEnv) => ({
  perMessageDeflate: false,
  lookup: lookupPeer,
  ...(tlsOptions === undefined
    ? {}
    : { agent: secureAgent(hubUrl, env), secureContext: tlsOptions.secureContext }),
});

const tlsSettings = (env: NodeJS.ProcessEnv): TlsSettings => ({
  secureContext: secureContextOf(env),
  requests: secureRequests(env, true),
});

const secureContextOf = (env: NodeJS.ProcessEnv): tls.SecureContext =>
  tls.createSecureContext({ ca: authorities(env) });

function authorities(env: NodeJS.ProcessEnv): string[] {
  try {
    return trustedAuthorities({
      env,
      tls,
      readFile: (path) => readFileSync(path, 'utf8'),
      hasSystemStore: hasSystemStore(env),
    });
  } catch (cause) {
    throw new CliError((cause as Error).message, undefined, { cause });
  }
}
