import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A hub in a child process, to be fuzzed. */
export interface FuzzedHub {
  readonly url: string;
  /** Its logged errors, line by line: no input may cause one. */
  readonly errors: readonly string[];
  /** Headers of accepted connections, for this many callers. */
  callers(count: number): Promise<Record<string, string>[]>;
  /** Stops it and deletes its data; rejected when it has ended before. */
  stop(): Promise<void>;
}

const administrator = { email: 'fuzz@example.org', password: 'gate-latch-and-rail' };
/** Poll interval; a paused hub reconnects to its database within a few intervals. */
const retryMs = 500;
const mainFile = fileURLToPath(new URL('../../hub/src/main.ts', import.meta.url));

/** Starts a hub on a free port, with an empty database. */
export async function startFuzzedHub(): Promise<FuzzedHub> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-fuzz-'));
  const child = spawn(process.execPath, [mainFile], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      CORRAL_DATA_DIR: folder,
      CORRAL_PORT: '0',
      CORRAL_LOG_LEVEL: 'error',
      CORRAL_LOG_FORMAT: 'json',
      CORRAL_ADMIN_EMAIL: administrator.email,
      CORRAL_ADMIN_PASSWORD: administrator.password,
    },
  });
  const errors: string[] = [];
  const ready = Promise.withResolvers<string>();
  const onLine = (text: string): void => {
    const url = /Corral is ready: (\S+)/.exec(text)?.[1];
    if (url !== undefined) ready.resolve(url);
    if (text.startsWith('{')) errors.push(text);
  };
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine);
  child.once('exit', () => ready.reject(new Error(`The hub has ended: ${errors.join('\n')}`)));
  const url = await ready.promise;
  return {
    url,
    errors,
    callers: (count) => callersOf(url, count),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error('The hub has ended by itself.');
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a user with a token for each caller, since all tokens of one user share a limit. */
async function callersOf(url: string, count: number): Promise<Record<string, string>[]> {
  const headers: Record<string, string> = { 'content-type': 'application/json', origin: url };
  const post = async (path: string, body: unknown): Promise<Response> => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status === 503 || response.status === 408)
      return delay(retryMs).then(() => post(path, body));
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response;
  };
  const login = await post('/api/private/login', { ...administrator, remember: false });
  headers['cookie'] = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const invoke = async (name: string, input: unknown): Promise<never> =>
    (await post(`/api/v1/actions/invoke/${name}`, input)).json() as Promise<never>;
  const callers: Record<string, string>[] = [];
  while (callers.length < count) {
    const { userId } = await invoke('users_CreateUser', { email: `fuzz-${callers.length}@example.org` });
    const { token } = await invoke('users_CreateUserToken', { userId, name: 'fuzz' });
    callers.push({ authorization: `Bearer ${token as string}`, 'x-user-token': token });
  }
  return callers;
}
