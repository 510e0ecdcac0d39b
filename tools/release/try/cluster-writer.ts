import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { datedRaw } from '@corral/contract';
import type { HubClient } from './hub-client.ts';

/** Runs a program beside the devices, and returns its output. */
type RunBeside = (...args: string[]) => string;

const files = [
  'agent/dist/corral-agent.mjs',
  'cli/dist/corral.mjs',
  'sbom.cdx.json',
  'CHANGELOG.md',
  'health.mjs',
  'LICENSE',
  'hub/src/main.js',
  'SECURITY.md',
];

/** Writes events one after the other, and uploads files, and knows what was acknowledged. */
export class ClusterWriter {
  readonly #hub: HubClient;
  readonly #deviceId: string;
  readonly #cli: (...args: string[]) => string;
  readonly #acknowledged: number[] = [];
  readonly #uploaded: { readonly asset: string; readonly path: string }[] = [];
  #next = 0;
  #isStopping = false;
  #lastAtMs = performance.now();
  #longestMs = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(hub: HubClient, deviceId: string, cli: (...args: string[]) => string) {
    this.#hub = hub;
    this.#deviceId = deviceId;
    this.#cli = cli;
  }

  get longestPauseSecs(): number {
    return Math.max(this.#longestMs, performance.now() - this.#lastAtMs) / 1000;
  }

  static async start(
    hub: HubClient & { readonly userId: string },
    projectId: string,
    run: RunBeside,
  ): Promise<ClusterWriter> {
    const { devices } = await hub.invoke<{ devices: { deviceId: string }[] }>(
      'projects_QueryProjectDevices',
      { projectId },
    );
    await hub.invoke('repositories_CreateRepository', { name: 'trial', owner: hub.userId });
    const { token } = await hub.invoke<{ token: string }>('users_CreateUserToken', {
      userId: hub.userId,
      name: 'trial',
      access: 'full',
      validForDays: 1,
    });
    const node = '/usr/lib/corral-hub/node/bin/node';
    const cli = (...args: string[]): string =>
      run(
        '/bin/sh',
        '-c',
        `export CORRAL_URL=https://hub.example CORRAL_TOKEN=${token} HOME=/tmp; exec ${node} /usr/lib/corral-hub/cli/dist/corral.mjs "$@"`,
        'sh',
        ...args,
      );
    const writer = new ClusterWriter(hub, devices[0]?.deviceId ?? '', cli);
    writer.#writing = writer.#write();
    return writer;
  }

  /** Begins to measure the pauses anew. */
  measure(): void {
    this.#longestMs = 0;
  }

  /** Resolves when a further event was acknowledged. */
  async acknowledged(): Promise<void> {
    const before = this.#acknowledged.length;
    while (this.#acknowledged.length === before) await pause(50);
  }

  /** Uploads the next file. */
  async upload(): Promise<void> {
    const path = `/usr/lib/corral-hub/${files[this.#uploaded.length % files.length]}`;
    const asset = /repo_a_\w+/.exec(this.#cli('assets', 'upload', 'trial', path))?.[0];
    if (asset === undefined) throw new Error(`The upload of ${path} names no asset.`);
    this.#uploaded.push({ asset, path });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#writing;
  }

  /** Stops, and resolves to how much was acknowledged. Rejects when something of it is not there. */
  async check(): Promise<{ events: number; files: number }> {
    await this.stop();
    const found = new Set<number>();
    let after: string | undefined;
    do {
      const page = await this.#hub.invoke<{ events: { category: string; body: unknown }[]; next?: string }>(
        'devices_QueryDeviceEvents',
        { deviceId: this.#deviceId, limit: 1_000, ...(after !== undefined && { after }) },
      );
      for (const { category, body } of page.events) if (category === 'trial') found.add(Number(body));
      after = page.next;
    } while (after !== undefined);
    const lost = this.#acknowledged.filter((number) => !found.has(number));
    if (lost.length > 0) throw new Error(`Events that were acknowledged are lost: ${lost.join(', ')}.`);
    for (const { asset, path } of this.#uploaded) this.#cli('assets', 'verify', asset, path);
    return { events: this.#acknowledged.length, files: this.#uploaded.length };
  }

  async #write(): Promise<void> {
    while (!this.#isStopping) {
      const number = this.#next++;
      const eventId = `d_ev_${datedRaw(Date.now(), randomBytes)}`;
      const emittedAt = new Date().toISOString();
      const event = { eventId, emittedAt, category: 'trial', severity: 'Info', body: number, attributes: {} };
      const isAcknowledged = await this.#hub
        .invoke('devices_PublishDeviceEvents', { deviceId: this.#deviceId, events: [event] })
        .then(
          () => true,
          () => false,
        );
      if (isAcknowledged) {
        this.#acknowledged.push(number);
        const nowMs = performance.now();
        this.#longestMs = Math.max(this.#longestMs, nowMs - this.#lastAtMs);
        this.#lastAtMs = nowMs;
      }
      await pause(isAcknowledged ? 20 : 100);
    }
  }
}
