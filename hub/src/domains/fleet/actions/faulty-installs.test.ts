import { createHash } from 'node:crypto';
import { ids, type Id, type Json } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { fleetScene, type FleetScene } from '../../../../test/fleet-scene.ts';
import { absentId } from '../../../../test/fresh-executor.ts';
import { seedCatalogue } from '../../../../test/seed-repository.ts';
import { tickOperations } from '../../operations/jobs/operation-ticks.ts';
import { FleetDriver } from '../jobs/drive-operations.ts';

/** What can go wrong on a device that installs a version; `good` and `slow` alone have it in the end. */
const faults = [
  'good',
  'good',
  'slow',
  'old image after the restart',
  'no return',
  'another version',
  'another package',
  'no new report',
  'fails',
  'lost report',
] as const;
type Fault = (typeof faults)[number];

const recipes = ['property', 'command', 'rugix'] as const;
type Recipe = (typeof recipes)[number];

/** Two days: past the clocks of all recipes. */
const roundSecs = 3_000;
const rounds = 60;

interface Machine {
  readonly id: Id<'device'>;
  readonly fault: Fault;
  /** In which round it reports what it runs; undefined before it installs. */
  reportsIn?: number;
  hasVersion: boolean;
}

let scene: FleetScene;
let said: { repository: string; package: string; version: string };
let versionId: Id<'packageVersion'>;
beforeEach(async () => {
  scene = await fleetScene();
  const { hub, project } = scene;
  const { projectId, owner } = project;
  const catalogue = await seedCatalogue(hub, { owner });
  ({ versionId } = catalogue);
  await hub.as(owner, 'projects_AddProjectRepository', { projectId, repositoryId: catalogue.repositoryId });
  await sql`update assets set status = 'Available'`.execute(hub.database.db);
  await sql`update package_versions set name = '2.0.0'`.execute(hub.database.db);
  said = { repository: catalogue.repository.name, package: 'base-image', version: '2.0.0' };
});
afterEach(() => scene[Symbol.asyncDispose]());

const owner = () => scene.project.owner;
const set = (deviceId: Id<'device'>, name: string, value: Json) =>
  scene.hub.as(owner(), 'devices_SetDeviceProperty', { deviceId, name, value });
const seeded = (seed: number, ...words: (string | number)[]) =>
  createHash('sha1')
    .update([seed, ...words].join(' '))
    .digest()
    .readUInt32BE(0);
/** What a device that runs a version writes. */
const report = ({ id }: Machine, recipe: Recipe, runs: typeof said) =>
  recipe === 'rugix'
    ? set(id, 'dev.nexigon.ota.status', { state: 'completed', currentVersion: runs.version })
    : set(id, 'corral.installed', runs);

/** What the device does when it is told to install. */
async function begin(machine: Machine, recipe: Recipe, round: number): Promise<void> {
  const { id: deviceId, fault } = machine;
  if (recipe === 'command') {
    const actor = {
      actor: 'Device',
      kind: 'Device',
      deviceId,
      tokenId: absentId('deploymentTokenId'),
    } as const;
    const { work } = await scene.hub.as(actor, 'devices_ClaimOperationWork', { deviceId });
    const [item] = work;
    if (item === undefined) return;
    const { deviceOperationId, stepIndex, claimId } = item;
    const isLost = fault === 'lost report' || fault === 'no return';
    const end =
      fault === 'fails'
        ? { status: 'Failed' as const, error: 'exit code 1' }
        : { status: 'Succeeded' as const };
    if (!isLost)
      await scene.hub.as(actor, 'devices_ReportOperationStep', {
        deviceId,
        deviceOperationId,
        stepIndex,
        claimId,
        report: end,
      });
  } else {
    const wanted = await sql`select 1 from device_properties where device_id = ${ids.device.raw(deviceId)}
      and name in ('corral.wanted', 'dev.nexigon.ota.config')`.execute(scene.hub.database.db);
    if (wanted.rows.length === 0) return;
  }
  machine.reportsIn = round + (fault === 'slow' ? 20 : 1);
}

async function goOn(machine: Machine, recipe: Recipe, round: number): Promise<void> {
  if (machine.reportsIn === undefined) return begin(machine, recipe, round);
  if (machine.reportsIn !== round) return;
  const { fault } = machine;
  if (fault === 'no return')
    await sql`update device_connections set ended_at = ${scene.hub.now()} where device_id = ${ids.device.raw(machine.id)}`.execute(
      scene.hub.database.db,
    );
  else if (fault === 'old image after the restart')
    await report(machine, recipe, { ...said, version: '1.0.0' });
  else if (fault === 'another version') await report(machine, recipe, { ...said, version: '2.0.0-rc.1' });
  else if (fault === 'another package' && recipe !== 'rugix')
    await report(machine, recipe, { ...said, package: 'other' });
  else if (fault === 'good' || fault === 'slow' || fault === 'lost report') {
    machine.hasVersion = true;
    await report(machine, recipe, said);
  }
}

test.each(recipes)(
  'no install by the recipe %s succeeds without the version, and none waits past its clocks',
  async (recipe) => {
    const seed = seeded(Date.now());
    const driver = new FleetDriver(scene.hub.executor, console, () => scene.hub.now().getTime());
    const machines: Machine[] = [];
    const count = Math.ceil(inject('figures').faultyInstalls / recipes.length);
    for (let index = 0; index < count; index += 1) {
      const fault = faults[seeded(seed, recipe, index) % faults.length] ?? 'good';
      const id = await scene.addDevice({ isConnected: true, commands: [{ name: 'install' }] });
      const machine = { id, fault, hasVersion: false };
      // As if it had had the version before, and was set back by hand.
      if (seeded(seed, 'before', index) % 3 === 0) await report(machine, recipe, said);
      machines.push(machine);
    }
    scene.hub.advance(10);
    const fleetOperationId = await scene.create({
      steps: [],
      install: { versionId, recipe },
      stages: [{ name: 'All' }],
      maxInFlight: 10_000,
      pauseOnFailurePercent: 100,
    });
    await scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId });
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < 3; turn += 1) {
        await tickOperations(scene.hub.executor);
        while (await driver.tick());
      }
      scene.hub.advance(roundSecs);
      for (const machine of machines) await goOn(machine, recipe, round);
    }
    const { rows } = await sql<{ device: string; status: string }>`
    select o.device_id as device, o.status from device_operations o`.execute(scene.hub.database.db);
    const statusOf = new Map(rows.map(({ device, status }) => [device, status]));
    const ended = machines.map((machine) => ({
      ...machine,
      status: statusOf.get(ids.device.raw(machine.id)),
    }));
    const found = (which: (one: (typeof ended)[number]) => boolean) =>
      ended.filter(which).map(({ fault, status }) => `${fault}: ${status}`);
    expect(
      found(({ status, hasVersion }) => status === 'Succeeded' && !hasVersion),
      `seed ${seed}`,
    ).toEqual([]);
    expect(
      found(({ status }) => status === 'Pending' || status === 'Running'),
      `seed ${seed}`,
    ).toEqual([]);
    expect(
      found(({ status, fault }) => status !== 'Succeeded' && (fault === 'good' || fault === 'slow')),
      `seed ${seed}`,
    ).toEqual([]);
  },
);
