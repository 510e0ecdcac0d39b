import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { callUrl } from './asset-scene.ts';

const administrator = { email: 'admin@example.org', password: 'gate-latch-and-rail' };
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** A hub as operators run it, for tests that kill it. */
export interface HubProgram {
  readonly child: ChildProcess;
  readonly url: string;
  /** Runs an action as the first administrator. */
  invoke(name: string, input: unknown): Promise<Record<string, unknown>>;
  /** Kills it as kill -9 does. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Resolves when it is gone. */
  gone(): Promise<void>;
  /** Stops it as operators do. */
  stop(): Promise<void>;
}

interface HubProgramOptions {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** That of the first administrator, where it was changed. */
  readonly password?: string;
  /** Options of Node. */
  readonly nodeOptions?: readonly string[];
}

/** Starts a hub on a free port and signs its first administrator in. */
export async function startHubProgram({
  dataDir,
  env: more = {},
  password = administrator.password,
  nodeOptions = [],
}: HubProgramOptions): Promise<HubProgram> {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    CORRAL_DATA_DIR: dataDir,
    CORRAL_PORT: '0',
    CORRAL_LOG_FORMAT: 'json',
    CORRAL_ADMIN_EMAIL: administrator.email,
    CORRAL_ADMIN_PASSWORD: administrator.password,
    ...more,
  };
  const child = spawn(process.execPath, [...nodeOptions, main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit').then(() => undefined);
  const url = await readyUrl(child);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    callUrl(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
      body: Buffer.from(JSON.stringify(body)),
    });
  const cookie =
    (await post('/api/private/login', { ...administrator, password })).headers['set-cookie']?.[0]?.split(
      ';',
    )[0] ?? '';
  return {
    child,
    url,
    async invoke(name, input) {
      const { status, bytes } = await post(`/api/v1/actions/invoke/${name}`, input, { cookie });
      if (status !== 200) throw new Error(`${name} ended with ${status}: ${bytes.toString()}`);
      return JSON.parse(bytes.toString()) as Record<string, unknown>;
    },
    kill() {
      child.kill('SIGKILL');
      return ended;
    },
    gone: () => ended,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** The address of a hub once it is ready. Rejects with what it wrote if it ends before. */
async function readyUrl(child: ChildProcess): Promise<string> {
  const lines: string[] = [];
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const url = /Corral is ready: (http[^\s"]+)/.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
  });
  const ended = once(child, 'close').then(() => {
    throw new Error(`The hub ended before it was ready:\n${lines.join('\n')}`);
  });
  return Promise.race([ready, ended]);
}
