import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import { httpExecutor, openLink, trustedAuthorities, type Executor, type LinkSocket } from '@corral/client';
import type { MultiplexConnection } from '@corral/multiplex';
import { WebSocket } from 'ws';
import { CliError } from '../CliError.ts';
import type { CliConfig } from '../config.ts';
import { version as programVersion } from '../version.ts';
import { hubFetch } from './hub-fetch.ts';

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
  const secureContext = hubUrl.startsWith('https:')
    ? tls.createSecureContext({ ca: authorities(env) })
    : undefined;
  let version: string | undefined;
  const executor = httpExecutor({
    baseUrl: hubUrl,
    token,
    fetch: hubFetch({ hubUrl, secureContext, onVersion: (named) => (version = named || undefined) }),
  });
  const trust = secureContext === undefined ? {} : { secureContext };
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
        createSocket: (url, form) => new WebSocket(url, { ...form, ...trust }) as LinkSocket,
        signal,
      }),
  };
}

function authorities(env: NodeJS.ProcessEnv): string[] {
  try {
    return trustedAuthorities({ env, tls, readFile: (path) => readFileSync(path, 'utf8') });
  } catch (cause) {
    throw new CliError((cause as Error).message, undefined, { cause });
  }
}
