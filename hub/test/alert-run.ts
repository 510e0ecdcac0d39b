import { ids, type Id } from '@corral/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { AlertScene } from './alert-scene.ts';

const deviceCount = 3;
const stepSecs = 20;
const windowSecs = 150;
/** The longest step between two looks, and what a message waits for another. */
const slackSecs = stepSecs + 30;

const device = fc.nat({ max: deviceCount - 1 });
const steps = fc.integer({ min: 1, max: 8 });

/** What devices, people and the hub do, by the numbers of the devices. */
export const alertPlan = fc.record({
  forSecs: fc.constantFrom(0, 60, 200),
  actions: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('leave' as const), device, steps }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('return' as const), device, steps }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('mute' as const), device, steps }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('unmute' as const), device, steps }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('gap' as const),
          secs: fc.integer({ min: 30, max: 3_000 }),
          isCrash: fc.boolean(),
          /** Which devices die meanwhile. */
          dying: fc.uniqueArray(device),
          /** After how many steps each of the others is back. */
          returns: fc.array(fc.integer({ min: 0, max: 6 }), {
            minLength: deviceCount,
            maxLength: deviceCount,
          }),
          steps,
        }),
      },
    ),
    { minLength: 2, maxLength: 12 },
  ),
});

type Plan = typeof alertPlan extends fc.Arbitrary<infer Value> ? Value : never;
type Action = Plan['actions'][number];

interface ModelDevice {
  readonly id: Id<'device'>;
  isAlive: boolean;
  isConnected: boolean;
  mute: Id<'alertMute'> | undefined;
  diedAtMs: number;
  longestDeadSecs: number;
}

/** One run of a plan, and what must hold of it. */
export class AlertRun {
  readonly #scene: AlertScene;
  readonly #devices: ModelDevice[] = [];
  readonly #windows: { fromMs: number; toMs: number }[] = [];
  #ruleId: Id<'alertRule'> | undefined;

  constructor(scene: AlertScene) {
    this.#scene = scene;
  }

  async run({ forSecs, actions }: Plan): Promise<void> {
    const { scene } = this.#parts();
    for (let number = 0; number < deviceCount; number += 1) {
      const id = await scene.addDevice(`device ${number}`);
      this.#devices.push({
        id,
        isAlive: true,
        isConnected: true,
        mute: undefined,
        diedAtMs: 0,
        longestDeadSecs: 0,
      });
    }
    this.#ruleId = await scene.addRule({ condition: { kind: 'Offline', forSecs } });
    await scene.pass(stepSecs);
    for (const action of actions) await this.#do(action);
    for (const one of this.#devices) await this.#unmute(one);
    // Until all that is away was told, and all that flapped has been well for long enough.
    await scene.pass(forSecs + windowSecs + slackSecs + 700);
    await this.#check(forSecs);
    await this.#tidy();
  }

  #parts() {
    return { scene: this.#scene, nowMs: () => this.#scene.hub.now().getTime() };
  }

  async #do(action: Action): Promise<void> {
    if (action.kind === 'gap') await this.#gap(action);
    else {
      const one = this.#devices[action.device]!;
      if (action.kind === 'leave') await this.#leave(one);
      else if (action.kind === 'return') await this.#return(one);
      else if (action.kind === 'unmute') await this.#unmute(one);
      else await this.#mute(one);
    }
    for (let step = 0; step < action.steps; step += 1) await this.#step();
  }

  /** Lets a step pass; there is never more than one open alert of a device. */
  async #step(): Promise<void> {
    await this.#scene.pass(stepSecs);
    const { rows } =
      await sql`select 1 from alerts where ended_at is null group by rule_id, subject having count(*) > 1`.execute(
        this.#scene.hub.database.db,
      );
    expect(rows).toEqual([]);
  }

  async #leave(one: ModelDevice): Promise<void> {
    if (!one.isAlive) return;
    if (one.isConnected) await this.#scene.leave([one.id]);
    Object.assign(one, { isAlive: false, isConnected: false, diedAtMs: this.#parts().nowMs() });
  }

  async #return(one: ModelDevice): Promise<void> {
    if (one.isConnected) return;
    await this.#scene.connect(one.id);
    this.#endDeath(one);
    Object.assign(one, { isAlive: true, isConnected: true });
  }

  #endDeath(one: ModelDevice): void {
    if (!one.isAlive)
      one.longestDeadSecs = Math.max(one.longestDeadSecs, (this.#parts().nowMs() - one.diedAtMs) / 1000);
  }

  async #mute(one: ModelDevice): Promise<void> {
    const { hub, project } = this.#scene;
    const until = new Date(hub.now().getTime() + 30 * 86_400_000).toISOString();
    one.mute ??= (
      await hub.as(project.owner, 'alerts_Mute', { projectId: project.projectId, deviceId: one.id, until })
    ).muteId;
  }

  async #unmute(one: ModelDevice): Promise<void> {
    const { hub, project } = this.#scene;
    if (one.mute !== undefined) await hub.as(project.owner, 'alerts_Unmute', { muteId: one.mute });
    one.mute = undefined;
  }

  /** The hub stops, or is killed, and comes back; devices that are well come back in the reconnect window. */
  async #gap({ secs, isCrash, dying, returns }: Extract<Action, { kind: 'gap' }>): Promise<void> {
    const { scene, nowMs } = this.#parts();
    const connected = this.#devices.filter(({ isConnected }) => isConnected);
    const how = isCrash
      ? ({ reason: 'NodeCrashed', cause: null } as const)
      : ({ reason: 'ServerShutdown', cause: null } as const);
    await scene.leave(
      connected.map(({ id }) => id),
      how,
    );
    for (const one of connected) one.isConnected = false;
    scene.hub.advance(secs / 2);
    for (const number of dying) await this.#leave(this.#devices[number]!);
    scene.hub.advance(secs / 2);
    await scene.look();
    this.#windows.push({ fromMs: nowMs(), toMs: nowMs() + windowSecs * 1000 });
    for (let step = 0; step <= Math.max(...returns); step += 1) {
      for (const [number, one] of this.#devices.entries())
        if (one.isAlive && returns[number] === step) await this.#return(one);
      await this.#step();
    }
  }

  async #check(forSecs: number): Promise<void> {
    const { scene } = this.#parts();
    const told = await scene.told();
    for (const one of this.#devices) {
      this.#endDeath(one);
      const tellings = told.flatMap(({ data }) => [
        ...data.resolved.flatMap((alert) => (alert.deviceId === one.id ? ['well'] : [])),
        ...data.fired.flatMap((alert) => (alert.deviceId === one.id ? ['away'] : [])),
      ]);
      // Never well before it was told to be away, and never twice the same.
      expect(tellings).toEqual(tellings.map((_, index) => (index % 2 === 0 ? 'away' : 'well')));
      expect(tellings.at(-1) ?? 'well').toBe(one.isAlive ? 'well' : 'away');
      if (one.longestDeadSecs < forSecs) expect(tellings).toEqual([]);
    }
    const { rows } = await sql<{
      at: string;
    }>`select fired_at as at from alerts where fired_at is not null`.execute(scene.hub.database.db);
    for (const { at } of rows)
      expect(
        this.#windows.filter(({ fromMs, toMs }) => Date.parse(at) >= fromMs && Date.parse(at) < toMs),
      ).toEqual([]);
  }

  async #tidy(): Promise<void> {
    const { hub, project } = this.#scene;
    await hub.as(project.owner, 'alerts_DeleteRule', { ruleId: this.#ruleId! });
    await sql`delete from all_devices where device_id = any(${this.#devices.map(({ id }) => ids.device.raw(id))}::text[])`.execute(
      hub.database.db,
    );
    await sql`delete from webhook_messages`.execute(hub.database.db);
  }
}
