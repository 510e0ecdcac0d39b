import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../free-ports.ts';
import { repositoryRoot } from '../source-files.ts';

/** How a block is run. */
export interface RunOptions {
  /** The block is stopped when its output matches; without it, it runs until it ends. */
  readonly until?: RegExp;
  /** Whether it goes on after that until the end, as an agent does. */
  readonly goesOn?: boolean;
  /** Whether it keeps running as the hub for the blocks that follow, instead of the previous hub. */
  readonly isHub?: boolean;
  /** Further replacements of texts of the documents. */
  readonly replaced?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** `npm start` as tools/launch.cjs runs it once the libraries are installed and the console is built. */
const npm = `#!/bin/sh
[ "$1" = start ] || { echo "Only npm start can be run here." >&2; exit 64; }
shift
while [ $# -gt 0 ]; do
  case "$1" in
    --silent) shift ;;
    --) shift; break ;;
    *) echo "npm start takes no $1: write -- before it." >&2; exit 64 ;;
  esac
done
exec corral-hub "$@"
`;
/** `corral-hub` as a package installs it, of this checkout. */
const hub = `#!/bin/sh
exec '${process.execPath}' --max-semi-space-size=8 '${repositoryRoot}/hub/src/main.ts' "$@"
`;
const sudo = '#!/bin/sh\nexec "$@"\n';
/** Absolute paths, but not those in URLs, nor names in certificates. */
const absolutePaths = /(?<![\w.:/~-])\/(?!\w+=)[\w.][^\s'"]*/g;
const ofEverySystem = ['/dev/null', '/bin/sh'];
const ownFolders = /(?<![\w.])\/(usr\/local|etc|srv|var\/lib|data)(?=\/)/g;

/** A machine of a new administrator: folders of the system below one of its own, and at first no hub. */
export class Sandbox {
  readonly folder: string;
  readonly port: number;
  readonly #replaced = new Map<string, string>();
  readonly #variables: Record<string, string> = {};
  readonly #running = new Set<ChildProcess>();
  #hub: ChildProcess | undefined;
  #cookie = '';

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  static async make(): Promise<Sandbox> {
    const sandbox = new Sandbox(await mkdtemp(join(tmpdir(), 'corral-documents-')), await freePort());
    // PostgreSQL's own user must be able to enter it.
    await chmod(sandbox.folder, 0o755);
    for (const name of ['usr/local/bin', 'usr/local/lib', 'etc', 'srv', 'var/lib', 'data', 'work', 'home'])
      await mkdir(sandbox.path(name), { recursive: true });
    await sandbox.write('shims/npm', npm, 0o755);
    await sandbox.write('shims/corral-hub', hub, 0o755);
    await sandbox.write('shims/sudo', sudo, 0o755);
    return sandbox;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get dataDir(): string {
    return this.path('var/lib/corral');
  }

  /** The path of a file below the folder of this machine; `work` is where blocks are run. */
  path(name: string): string {
    return join(this.folder, name);
  }

  async write(name: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), content, { mode });
  }

  read(name: string): Promise<string> {
    return readFile(this.path(name), 'utf8');
  }

  /** Replaces a text of the documents in all blocks that follow. */
  replace(text: string, by: string): void {
    this.#replaced.set(text, by);
  }

  /** Sets a variable for all blocks that follow. */
  set(variable: string, value: string): void {
    this.#variables[variable] = value;
  }

  /** Runs a block and resolves with its output. Rejects with the output if it fails, or ends before it has matched `until`. */
  async run(
    text: string,
    { until, goesOn = false, isHub = false, replaced = {}, env = {} }: RunOptions = {},
  ): Promise<string> {
    if (isHub) await this.stopHub();
    const script = this.translate(text, replaced);
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: this.path('work'),
      env: { ...this.#environment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#running.add(child);
    const output = await this.#outputOf(child, until);
    if (isHub) this.#hub = child;
    else if (until !== undefined && !goesOn) await this.#stop(child);
    if (until === undefined) this.#running.delete(child);
    return output;
  }

  /** Runs an action as the first administrator. */
  async invoke(name: string, input: object): Promise<Record<string, unknown>> {
    const answer = await this.#post(`/api/v1/actions/invoke/${name}`, input);
    if (!answer.ok) throw new Error(`${name} ended with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }

  async signIn(email: string, password: string): Promise<void> {
    const { headers } = await this.#post('/api/private/login', { email, password });
    this.#cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  async stopHub(): Promise<void> {
    if (this.#hub !== undefined) await this.#stop(this.#hub);
    this.#hub = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopHub();
    await Promise.all([...this.#running].map((child) => this.#stop(child)));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  /** A text of the documents with the folders, URLs and tokens of this machine. */
  translate(text: string, replaced: Readonly<Record<string, string>> = {}): string {
    let script = text;
    for (const [from, to] of [...Object.entries(replaced), ...this.#replaced])
      script = script.replaceAll(from, to);
    script = script.replaceAll(ownFolders, `${this.folder}/$1`);
    for (const [path] of script.matchAll(absolutePaths))
      if (!ofEverySystem.includes(path) && !path.startsWith(`${this.folder}/`))
        throw new Error(
          `${path} is not a folder of this machine: name it in sandbox.ts or in block-runs.ts.`,
        );
    return script;
  }

  #environment(): Record<string, string> {
    const folders = [this.path('usr/local/bin'), this.path('shims'), dirname(process.execPath)];
    return {
      PATH: [...folders, process.env['PATH'] ?? ''].join(':'),
      HOME: this.path('home'),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      CORRAL_PORT: String(this.port),
      CORRAL_DATA_DIR: this.dataDir,
      CORRAL_AGENT_STATE: this.path('var/lib/corral-agent'),
      ...this.#variables,
    };
  }

  async #outputOf(child: ChildProcess, until: RegExp | undefined): Promise<string> {
    let output = '';
    const ended = once(child, 'close').then(() => {
      if (until === undefined && child.exitCode === 0) return;
      throw new Error(`The block ended with ${child.exitCode}:\n${output}`);
    });
    const written = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          this.#approve(text);
          if (until?.test(output) === true) resolve();
        });
    });
    await Promise.race([ended, written]);
    ended.catch(() => undefined);
    return output;
  }

  /** Approves, as a person does in the browser, the code that is printed by `corral login`. */
  #approve(text: string): void {
    const [, userCode] = /^ {4}([A-Z0-9]{4}-[A-Z0-9]{4})$/m.exec(text) ?? [];
    if (userCode !== undefined) void this.invoke('users_DecideLogin', { userCode, isApproved: true });
  }

  #post(path: string, body: object): Promise<Response> {
    return fetch(this.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: this.#cookie },
      body: JSON.stringify(body),
    });
  }

  async #stop(child: ChildProcess): Promise<void> {
    this.#running.delete(child);
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = once(child, 'close');
    process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}
