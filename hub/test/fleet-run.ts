import { ids, type CallInput, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { newRawId } from '../src/auth/random.ts';
import { DriveOperation } from '../src/domains/fleet/internal/DriveOperation.ts';
import { FindDrivenOperations } from '../src/domains/fleet/internal/FindDrivenOperations.ts';
import { sizedStages } from '../src/domains/fleet/sql/stage-sizes.ts';
import { FindDueOperations } from '../src/domains/operations/internal/FindDueOperations.ts';
import { MoveOperation } from '../src/domains/operations/internal/MoveOperation.ts';
import type { FleetAction, PlannedAction } from './fleet-actions.ts';
import { definitionOf, modelOf, type RunVersion, withLastStage } from './fleet-definition.ts';
import type { ModelDevice, ModelFleet, ModelTarget } from './fleet-model-rows.ts';
import { FleetModel } from './fleet-model.ts';
import {
  compareEvents,
  compareRows,
  connect,
  disconnect,
  isEnrolmentDue,
  offerTouch,
  progressOf,
  readTargetRows,
  type TargetRow,
} from './fleet-run-rows.ts';
import type { FleetScene } from './fleet-scene.ts';
import { absentId } from './fresh-executor.ts';

type OnDevice = Extract<FleetAction, { device: number }>;
type Of<Name extends FleetAction['do']> = Extract<FleetAction, { do: Name }>;

const deviceCount = 5;
/** One generated run: does each action on the hub and in the model, lets both go on, and compares all rows. */
export class FleetRun {
  readonly #scene: FleetScene;
  readonly #version: RunVersion;
  readonly #model = new FleetModel();
  readonly #devices: (ModelDevice & { isMember: boolean })[] = [];
  readonly #works: {
    target: ModelTarget;
    index: number;
    claimId: Id<'deviceOperationClaim'>;
  }[] = [];
  readonly #beganMs: number;
  /** The property of the devices that later operations select; devices of other runs do not have it. */
  readonly #member = newRawId();

  constructor(scene: FleetScene, version: RunVersion) {
    this.#scene = scene;
    this.#version = version;
    this.#beganMs = scene.hub.now().getTime();
  }

  async run(actions: readonly PlannedAction[]): Promise<void> {
    for (const id of await this.#scene.addDevices(deviceCount))
      this.#devices.push({
        id,
        isConnected: true,
        provedAt: -1,
        hasVersion: false,
        isMember: false,
      });
    await offerTouch(this.#db, this.#devices, this.#scene.hub.now());
    for (const action of actions) {
      this.#pass(1);
      await this.#do(action);
      if (action.settles) await this.#settle();
      await compareRows(this.#db, this.#model);
    }
    await this.#end();
  }

  get #db() {
    return this.#scene.hub.database.db;
  }

  #pass(secs: number): void {
    this.#scene.hub.advance(secs);
    this.#model.now = (this.#scene.hub.now().getTime() - this.#beganMs) / 1000;
  }

  #as<Name extends Parameters<FleetScene['hub']['as']>[1]>(name: Name, input: CallInput<Name>) {
    return this.#scene.hub.as(this.#scene.project.owner, name, input);
  }

  async #do(action: FleetAction): Promise<void> {
    if (action.do === 'create') return this.#create(action);
    if (action.do === 'pass') return this.#pass(action.secs);
    if (action.do === 'open') return this.#open();
    if (action.do === 'report') return this.#report(action);
    if (action.do === 'cancelDevice') return this.#cancelDevice(action);
    if ('device' in action) return this.#doOnDevice(action);
    const fleet = this.#model.fleets[action.fleet];
    if (fleet === undefined) return;
    if (action.do === 'start') return this.#start(fleet);
    if (action.do === 'retry') return this.#retry(fleet, action);
    if (action.do === 'undo') return this.#undo(fleet);
    if (action.do === 'advance') return this.#advance(fleet, action);
    if (action.do === 'pace') return this.#setPace(fleet, action);
    const { id: fleetOperationId, status } = fleet;
    const name = action.do === 'pause' ? 'fleet_PauseOperation' : 'fleet_CancelOperation';
    const allowed = ['Running', 'Paused', ...(action.do === 'pause' ? [] : ['Draft', 'Cancelled'])];
    if (allowed.includes(status)) await this.#as(name, { fleetOperationId });
    else await this.#refused(name, { fleetOperationId });
    this.#model[action.do](fleet);
  }

  async #refused(name: Parameters<FleetScene['hub']['refusal']>[1], input: unknown): Promise<void> {
    const { kind } = await this.#scene.hub.refusal(this.#scene.project.owner, name, input);
    expect(kind).toBe('Invalid');
  }

  async #create(action: Of<'create'>): Promise<void> {
    if (this.#model.fleets.length >= 4) return;
    const property = `p${this.#model.fleets.length}`;
    const given = { ...action, stages: withLastStage(action.stages) };
    const definition = definitionOf(given, {
      property,
      devices: this.#devices.map((device) => device.id),
      member: this.#member,
      versionId: this.#version.versionId,
    });
    const id = await this.#scene.create(definition);
    const fleet = this.#model.add({ id, property, undoes: undefined, ...modelOf(given) });
    if (action.isStarted) await this.#start(fleet);
  }

  #eligible({ isInstall, intervalSecs: interval, undoes }: ModelFleet): ModelDevice[] {
    return this.#devices.filter(
      (device) =>
        (interval === undefined || device.isMember) &&
        !(isInstall && device.hasVersion) &&
        (undoes === undefined || this.#model.undoable(undoes).includes(device)),
    );
  }

  async #start(fleet: ModelFleet): Promise<void> {
    const { id: fleetOperationId } = fleet;
    if (fleet.status !== 'Draft') {
      if (['Completed', 'Failed', 'Cancelled'].includes(fleet.status) || this.#model.isHeldBack(fleet))
        return this.#refused('fleet_StartOperation', { fleetOperationId });
      await this.#as('fleet_StartOperation', { fleetOperationId });
      return this.#model.resume(fleet);
    }
    const eligible = this.#eligible(fleet);
    if (eligible.length === 0 && fleet.intervalSecs === undefined)
      return this.#refused('fleet_StartOperation', { fleetOperationId });
    await this.#as('fleet_StartOperation', { fleetOperationId });
    const rows = await readTargetRows(this.#db, fleet);
    expect(rows.map(({ device }) => device).toSorted()).toEqual(
      eligible.map(({ id }) => ids.device.raw(id)).toSorted(),
    );
    for (const row of rows) this.#enrol(fleet, row, undefined);
    if (fleet.undoes !== undefined) {
      const found = await this.#as('fleet_GetOperation', { fleetOperationId });
      const { stages } = found.result === 'Found' ? found : expect.fail('not found');
      fleet.stages = stages.map(({ percentage = 100, autoAdvance = false, soakSecs = 0, guard }) => ({
        percentage,
        autoAdvance,
        soakSecs,
        maxFailurePercent: guard?.maxFailurePercent,
      }));
    }
    const sizes = sizedStages(fleet.stages, rows.length).map(({ devices }) => devices);
    expect(sizes).toEqual(sizes.map((_, stage) => rows.filter((row) => row.stage === stage).length));
    this.#model.start(fleet, sizes);
    if (fleet.isInstall) this.#model.supersede(fleet);
  }

  #enrol(fleet: ModelFleet, { id, device, stage, attempt }: TargetRow, releasedAt: number | undefined): void {
    const own =
      this.#devices.find((one) => ids.device.raw(one.id) === device) ?? expect.fail('a foreign device');
    this.#model.newTarget({
      id,
      fleet,
      device: own,
      stage,
      attempt,
      releasedAt,
    });
  }

  async #retry(fleet: ModelFleet, { which }: Of<'retry'>): Promise<void> {
    const given = { fleetOperationId: fleet.id, which: [which] };
    const isRetried = ({ status, outcome }: ModelTarget) =>
      which === 'Interrupted' ? outcome === 'Interrupted' : status === which;
    const isPossible = fleet.status !== 'Draft' && (fleet.status !== 'Cancelled' || fleet.isEnded);
    const devices = fleet.targets.filter((target) => target.isLatest && isRetried(target)).length;
    if (!isPossible || devices === 0) return this.#refused('fleet_RetryOperation', given);
    expect(await this.#as('fleet_RetryOperation', given)).toEqual({ devices });
    const again = this.#model.retry(fleet, isRetried);
    const rows = await readTargetRows(this.#db, fleet);
    for (const { device, stage, attempt } of again) {
      const row = rows.find((one) => one.device === ids.device.raw(device.id) && one.attempt === attempt + 1);
      if (row === undefined) expect.fail('a device is not tried again');
      else this.#enrol(fleet, row, stage <= fleet.activeStage ? this.#model.now : undefined);
    }
  }

  async #undo(fleet: ModelFleet): Promise<void> {
    if (this.#model.fleets.length >= 5 || fleet.isInstall) return;
    const given = { fleetOperationId: fleet.id };
    const undoable = this.#model.undoable(fleet);
    if (fleet.status === 'Draft' || undoable.length === 0) return this.#refused('fleet_PrepareUndo', given);
    const { fleetOperationId: id } = await this.#as('fleet_PrepareUndo', given);
    const found = await this.#as('fleet_GetOperation', {
      fleetOperationId: id,
    });
    const { selector } = found.result === 'Found' ? found : expect.fail('not found');
    expect(selector.deviceIds?.toSorted()).toEqual(undoable.map((device) => device.id).toSorted());
    const { property } = fleet;
    this.#model.add({
      id,
      property,
      steps: ['property'],
      stages: [],
      isInstall: false,
      undoes: fleet,
      intervalSecs: undefined,
      closesWhenConverged: true,
      deliverSecs: 7 * 86_400,
      slots: fleet.slots,
      percent: 5,
    });
  }

  async #advance(fleet: ModelFleet, { force }: Of<'advance'>): Promise<void> {
    const given = { fleetOperationId: fleet.id, force };
    if (fleet.status !== 'Running' && fleet.status !== 'Paused')
      return this.#refused('fleet_AdvanceOperationStage', given);
    const isFinal = fleet.activeStage + 1 >= fleet.stages.length;
    const isBlocked = !force && !this.#model.isGuardOpen(fleet);
    const { result } = await this.#as('fleet_AdvanceOperationStage', given);
    expect(result).toBe(isFinal ? 'AlreadyFinalStage' : isBlocked ? 'GuardBlocked' : 'Advanced');
    if (result !== 'Advanced') return;
    fleet.activeStage += 1;
    fleet.events.push('StageAdvanced');
  }

  async #setPace(fleet: ModelFleet, { slots, percent }: Of<'pace'>): Promise<void> {
    const given = {
      fleetOperationId: fleet.id,
      maxInFlight: slots,
      pauseOnFailurePercent: percent,
    };
    if (!['Draft', 'Running', 'Paused'].includes(fleet.status))
      return this.#refused('fleet_SetOperationPace', given);
    await this.#as('fleet_SetOperationPace', given);
    [fleet.slots, fleet.percent] = [slots, percent];
    fleet.events.push('PaceChanged');
  }

  async #doOnDevice({ do: what, device: which }: OnDevice): Promise<void> {
    const device = this.#devices[which] ?? expect.fail('no such device');
    const { id: deviceId } = device;
    if (what === 'claim') return this.#claim(device);
    if (what === 'connect' || what === 'disconnect') {
      if (device.isConnected === (what === 'connect')) return;
      device.isConnected = what === 'connect';
      const change = device.isConnected ? connect : disconnect;
      await change(this.#db, ids.device.raw(deviceId), this.#scene.hub.now());
    } else if (what === 'join') {
      device.isMember = true;
      await this.#as('devices_SetDeviceProperty', {
        deviceId,
        name: this.#member,
        value: true,
      });
    } else {
      device.provedAt = this.#model.now;
      await this.#as('devices_SetDeviceProperty', {
        deviceId,
        name: 'corral.installed',
        value: this.#version.said,
      });
    }
  }

  #deviceActor(deviceId: Id<'device'>) {
    return {
      actor: 'Device',
      kind: 'Device',
      deviceId,
      tokenId: absentId('deploymentTokenId'),
    } as const;
  }

  async #claim(device: ModelDevice): Promise<void> {
    const { id: deviceId } = device;
    const { work } = await this.#scene.hub.as(this.#deviceActor(deviceId), 'devices_ClaimOperationWork', {
      deviceId,
    });
    const target = this.#model.claim(device);
    expect(work.map((item) => ids.deviceOperation.raw(item.deviceOperationId))).toEqual(
      target === undefined ? [] : [target.id],
    );
    const [item] = work;
    if (item !== undefined && target !== undefined)
      this.#works.push({
        target,
        index: item.stepIndex,
        claimId: item.claimId,
      });
  }

  async #report({ work: which, as: status }: Of<'report'>): Promise<void> {
    const work = this.#works.at(-1 - which);
    if (work === undefined) return;
    const { target, index: stepIndex, claimId } = work;
    const { id: deviceId } = target.device;
    const deviceOperationId = ids.deviceOperation.of(target.id);
    const error =
      status === 'Interrupted' ? 'previous command execution was interrupted after dispatch' : 'broken';
    await this.#scene.hub.as(this.#deviceActor(deviceId), 'devices_ReportOperationStep', {
      deviceId,
      deviceOperationId,
      stepIndex,
      claimId,
      report: {
        status: status === 'Interrupted' ? 'Failed' : status,
        ...(status === 'Failed' || status === 'Interrupted' ? { error } : {}),
      },
    });
    if (status !== 'Running') this.#model.report(target, stepIndex, status);
  }

  async #cancelDevice({ target: which }: Of<'cancelDevice'>): Promise<void> {
    const target = this.#model.targets[which];
    if (target === undefined) return;
    await this.#as('devices_CancelOperation', {
      deviceOperationId: ids.deviceOperation.of(target.id),
    });
    if (target.status === 'Pending' || target.status === 'Running') this.#model.cancelTarget(target, true);
  }

  async #open(): Promise<void> {
    this.#model.isGateOpen = true;
    for (const { id: deviceId } of this.#devices)
      await this.#as('devices_SetDeviceProperty', {
        deviceId,
        name: 'open',
        value: true,
      });
  }

  /** What the loops of a node do, one after the other, and the model in the same order. */
  async #settle(rounds = 1): Promise<void> {
    const { hub } = this.#scene;
    for (let round = 0; round < rounds; round += 1) {
      for (const id of await hub.run(FindDueOperations)) {
        await hub.run(MoveOperation, id);
        this.#model.move(this.#model.targets.find((target) => target.id === id) ?? expect.fail('unknown'));
      }
      // What the hub has not found must not be due.
      for (const target of this.#model.targets) this.#model.move(target);
      for (const operationId of await hub.run(FindDrivenOperations)) {
        const fleet =
          this.#model.fleets.find(({ id }) => ids.fleetOperation.raw(id) === operationId) ??
          expect.fail('unknown');
        while ((await hub.run(DriveOperation, { operationId })).isMore);
        if (fleet.intervalSecs !== undefined) await this.#enrolLate(fleet);
        this.#model.drive(fleet);
      }
    }
  }

  async #enrolLate(fleet: ModelFleet): Promise<void> {
    const known = new Set(fleet.targets.map(({ id }) => id));
    const joined = (await readTargetRows(this.#db, fleet)).filter(({ id }) => !known.has(id));
    const open = this.#eligible(fleet).filter(
      (device) => !fleet.targets.some((target) => target.device === device),
    );
    if (joined.length > 0)
      expect(joined.map(({ device }) => device).toSorted()).toEqual(
        open.map(({ id }) => ids.device.raw(id)).toSorted(),
      );
    for (const row of joined) {
      const stage = fleet.rows[row.stage] ?? expect.fail('no such stage');
      stage.devices += 1;
      this.#enrol(fleet, row, stage.openedAt !== undefined ? this.#model.now : undefined);
    }
    expect(await isEnrolmentDue(this.#db, fleet, this.#scene.hub.now())).toBe(false);
  }

  /** Every operation ends when it is cancelled, its counts are those of its rows, and its events are complete. */
  async #end(): Promise<void> {
    for (const [index, { isEnded }] of this.#model.fleets.entries())
      if (!isEnded) await this.#do({ do: 'cancel', fleet: index });
    await this.#settle(2);
    await compareRows(this.#db, this.#model);
    for (const fleet of this.#model.fleets) {
      expect(fleet.isEnded).toBe(true);
      const found = await this.#as('fleet_GetOperation', { fleetOperationId: fleet.id });
      expect(found.result === 'Found' && found.summary.progress).toEqual(progressOf(fleet));
      await compareEvents(this.#db, fleet);
    }
    await sql`delete from fleet_operations`.execute(this.#db);
  }
}
