import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import * as tls from 'node:tls';
import { httpExecutor, openLink, trustedAuthorities, type Executor } from '@corral/client';
import type { MultiplexConnection } from '@corral/multiplex';
import { CliError } from '../CliError.ts';
import type { CliConfig } from '../config.ts';
import { version as programVersion } from '../version.ts';
import { hubFetch, type SecureWay } from './hub-fetch.ts';

/** The hub, spoken to as the user whose token it is. */
export interface Hub extends Executor {
  readonly url: string;
  /** The version that the hub has named; undefined before its first answer. */
  readonly version: string | undefined;
  /** Opens a link over which channels go; whoever calls it ticks the connection. Rejected with a ConnectError. */
  openLink(signal: AbortSignal): Promise<MultiplexConnection>;
}

/** Prepares to speak to a hub; nothing is sent yet. Throws a CliError when the authorities cannot be read. */
export function createHub(
  { hubUrl, token }: Pick<CliConfig, 'hubUrl' | 'token'>,
  env: NodeJS.ProcessEnv,
): Hub {
  const way = hubUrl.startsWith('https:') ? wayTo(env) : undefined;
  let version: string | undefined;
  const executor = httpExecutor({
    baseUrl: hubUrl,
    token,
    fetch: hubFetch({ hubUrl, way, onVersion: (named) => (version = named || undefined) }),
  });
  return {
    ...executor,
    url: hubUrl,
    get version() {
      return version;
    },
    openLink: (signal) =>
      openLink({
        hubUrl,
        headers: {
          Authorization: `Bearer ${token}`,
          'X-User-Token': token,
          'X-Register-Connection': 'true',
        },
        info: `corral-cli/${programVersion()}`,
        request: (url, form) =>
          way === undefined ? httpRequest(url, form) : httpsRequest(url, { ...form, ...way }),
        signal,
      }),
  };
}

/** How a hub that speaks TLS is reached: through the proxy that the environment names for it, if any, which sees nothing of what is said. */
function wayTo(env: NodeJS.ProcessEnv): SecureWay {
  return {
    secureContext: tls.createSecureContext({ ca: authorities(env) }),
    agent: new Agent({ keepAlive: true, proxyEnv: env }),
  };
}

function authorities(env: NodeJS.ProcessEnv): string[] {
  try {
    return trustedAuthorities({ env, tls, readFile: (path) => readFileSync(path, 'utf8') });
  } catch (cause) {
    throw new CliError((cause as Error).message, undefined, { cause });
  }
}
