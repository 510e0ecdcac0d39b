import type {
  FleetState,
  ModelDevice,
  ModelFleet,
  ModelStage,
  ModelStep,
  ModelTarget,
  StageRow,
  StepKind,
} from './fleet-model-rows.ts';

const commandSecs = 100;
const ledgerWindowSecs = 600;
const inFlight = ({ isLatest, status }: ModelTarget) => isLatest && status === 'Running';
/** Whether a device was in its stage when that was opened, or is tried again. */
const wasThere = ({ attempt, createdAt, fleet, stage }: ModelTarget) =>
  attempt > 1 || createdAt <= (fleet.rows[stage]?.openedAt ?? -1);
const isUnended = ({ isLatest, status }: ModelTarget) =>
  isLatest && (status === 'Pending' || status === 'Running');

/** What operations on fleets should do, as simply as possible: all rows are looked at each time. */
export class FleetModel {
  readonly fleets: ModelFleet[] = [];
  readonly #writers = new Map<string, ModelFleet>();
  now = 0;
  /** Whether waits hold. */
  isGateOpen = false;

  get targets(): ModelTarget[] {
    return this.fleets.flatMap(({ targets }) => targets);
  }

  add(given: Omit<ModelFleet, FleetState>): ModelFleet {
    const fleet: ModelFleet = {
      ...given,
      status: 'Draft',
      isEnded: false,
      activeStage: 0,
      resumedAt: 0,
      rows: [],
      targets: [],
      events: [],
    };
    this.fleets.push(fleet);
    return fleet;
  }

  /** The devices whose property was written by an operation last. */
  undoable(fleet: ModelFleet): ModelDevice[] {
    return this.#devicesOf(fleet).filter(
      (device) => this.#writers.get(`${device.id} ${fleet.property}`) === fleet,
    );
  }

  #devicesOf({ targets }: ModelFleet): ModelDevice[] {
    return [...new Set(targets.map(({ device }) => device))];
  }

  newTarget(given: Pick<ModelTarget, 'id' | 'fleet' | 'device' | 'stage' | 'attempt' | 'releasedAt'>) {
    const target: ModelTarget = {
      ...given,
      createdAt: this.now,
      isLatest: true,
      status: 'Pending',
      outcome: null,
      startedAt: undefined,
      index: 0,
      counts: false,
      hasEndEvent: false,
      steps: new Map(),
    };
    given.fleet.targets.push(target);
    return target;
  }

  start(fleet: ModelFleet, sizes: readonly number[]): void {
    fleet.rows = sizes.map((devices) => ({
      devices,
      failures: 0,
      openedAt: undefined,
      endedAt: undefined,
    }));
    fleet.status = 'Running';
    fleet.resumedAt = this.now;
    fleet.events.push('Started');
  }

  /** Installs that wait on the devices of a newer one are cancelled. */
  supersede(fleet: ModelFleet): void {
    const devices = new Set(fleet.targets.map(({ device }) => device));
    for (const target of this.targets)
      if (
        target.fleet !== fleet &&
        target.fleet.isInstall &&
        ['Running', 'Paused'].includes(target.fleet.status) &&
        target.isLatest &&
        target.status === 'Pending' &&
        devices.has(target.device)
      )
        [target.status, target.outcome] = ['Cancelled', 'Superseded'];
  }

  /** What the driver does until nothing more can be done. */
  drive(fleet: ModelFleet): void {
    while (!fleet.isEnded && this.#driveOnce(fleet));
  }

  #driveOnce(fleet: ModelFleet): boolean {
    if (fleet.status === 'Cancelled') return this.#cancelTargets(fleet);
    if (fleet.status !== 'Running') return false;
    if (this.#goOn(fleet)) return true;
    let hasDone = false;
    for (const target of fleet.targets) {
      if (target.status !== 'Pending' || target.releasedAt !== undefined) continue;
      if (target.stage > fleet.activeStage || fleet.rows[target.stage]?.openedAt === undefined) continue;
      target.releasedAt = this.now;
      hasDone = true;
    }
    const free = fleet.slots - fleet.targets.filter(inFlight).length;
    for (const target of this.#ready(fleet).slice(0, Math.max(0, free))) {
      target.status = 'Running';
      target.startedAt = this.now;
      this.#advance(target, 0);
      hasDone = true;
    }
    return hasDone;
  }

  #ready(fleet: ModelFleet): ModelTarget[] {
    const waiting = (target: ModelTarget) => target.status === 'Pending' && target.releasedAt !== undefined;
    const isBefore = (one: ModelTarget, other: ModelTarget) =>
      (one.releasedAt ?? 0) - (other.releasedAt ?? 0) || (one.id < other.id ? -1 : 1);
    return fleet.targets
      .filter((target) => waiting(target) && target.device.isConnected)
      .filter(
        (target) =>
          !this.targets.some(
            (other) =>
              other.device === target.device &&
              (other.status === 'Running' ||
                (other !== target &&
                  waiting(other) &&
                  other.fleet.status === 'Running' &&
                  isBefore(other, target) < 0)),
          ),
      )
      .toSorted(isBefore);
  }

  #cancelTargets(fleet: ModelFleet): boolean {
    for (const target of fleet.targets.filter(isUnended))
      this.cancelTarget(target, target.status === 'Running');
    this.#finish(fleet);
    return false;
  }

  cancelTarget(target: ModelTarget, hasEvent: boolean): void {
    const step = target.steps.get(target.index);
    if (target.status === 'Running' && step?.status === 'Running' && !step.isHandedOut)
      step.status = 'Skipped';
    this.#end(target, 'Cancelled');
    target.hasEndEvent = hasEvent;
  }

  #goOn(fleet: ModelFleet): boolean {
    const { activeStage, rows, stages } = fleet;
    const closed = rows.slice(0, activeStage + 1).filter(({ openedAt }) => openedAt === undefined);
    for (const row of closed) {
      [row.openedAt, row.endedAt] = [this.now, undefined];
      fleet.events.push('StageOpened');
    }
    if (closed.length > 0) return true;
    const row = rows[activeStage] as StageRow;
    const isLast = activeStage + 1 >= stages.length;
    const keepsWaiting = (target: ModelTarget) => isUnended(target) && (isLast || wasThere(target));
    if (fleet.targets.some((target) => keepsWaiting(target) && target.stage <= activeStage)) {
      row.endedAt = undefined;
      return false;
    }
    row.endedAt ??= this.now;
    if (isLast) {
      if (fleet.intervalSecs === undefined || fleet.closesWhenConverged) this.#finish(fleet);
      return false;
    }
    if (row.devices > 0 && rows.slice(activeStage + 1).some(({ devices }) => devices > 0)) {
      const stage = stages[activeStage] as ModelStage;
      if (!stage.autoAdvance || this.now - row.endedAt < stage.soakSecs) return false;
      if (!this.isGuardOpen(fleet)) {
        this.#pause(fleet);
        return false;
      }
    }
    fleet.activeStage += 1;
    return true;
  }

  isGuardOpen({ activeStage, stages, targets }: ModelFleet): boolean {
    const most = stages[activeStage]?.maxFailurePercent;
    const own = targets.filter(
      (one) =>
        one.isLatest &&
        one.stage === activeStage &&
        one.outcome !== 'NotDelivered' &&
        (!isUnended(one) || wasThere(one)),
    );
    const failed = own.filter(({ status }) => status === 'Failed' || status === 'TimedOut').length;
    return most === undefined || own.length === 0 || Math.ceil((failed * 100) / own.length) <= most;
  }

  #pause(fleet: ModelFleet): void {
    fleet.status = 'Paused';
    fleet.events.push('Paused');
  }

  #finish(fleet: ModelFleet): void {
    const latest = fleet.targets.filter(({ isLatest }) => isLatest);
    const hasFailed = latest.some(
      ({ status, outcome }) => status === 'Failed' || (status === 'TimedOut' && outcome !== 'NotDelivered'),
    );
    if (fleet.status !== 'Cancelled') fleet.status = hasFailed ? 'Failed' : 'Completed';
    fleet.isEnded = true;
    fleet.events.push('Finished');
  }

  #advance(target: ModelTarget, from: number): void {
    const { fleet, device } = target;
    for (let index = from; ; index += 1) {
      target.index = index;
      const kind = fleet.steps[index];
      if (kind === undefined) {
        if (fleet.isInstall) device.hasVersion = true;
        return this.#end(target, 'Succeeded');
      }
      const isWait = kind !== 'property' && kind !== 'command';
      if (fleet.status !== 'Running' && !(isWait && this.#mayProve(target))) return;
      if (kind === 'property') this.#writers.set(`${device.id} ${fleet.property}`, fleet);
      const isDone = kind === 'property' || (kind !== 'command' && this.#holds(target, kind));
      target.steps.set(index, {
        status: isDone ? 'Succeeded' : 'Running',
        startedAt: this.now,
        claims: 0,
        firstClaimedAt: undefined,
        isHandedOut: false,
      });
      if (!isDone) return;
    }
  }

  #holds({ device, steps }: ModelTarget, kind: StepKind): boolean {
    return kind === 'wait' ? this.isGateOpen : device.provedAt > (steps.get(0)?.startedAt ?? this.now);
  }

  #end(target: ModelTarget, status: ModelTarget['status']): void {
    target.status = status;
    target.hasEndEvent = true;
  }

  #endStep(target: ModelTarget, status: 'Succeeded' | 'Failed' | 'TimedOut'): void {
    const step = target.steps.get(target.index) as ModelStep;
    step.status = status;
    if (target.status !== 'Running') return;
    if (status === 'Succeeded') this.#advance(target, target.index + 1);
    else {
      const { fleet } = target;
      const row = fleet.rows[target.stage] as StageRow;
      target.counts = true;
      row.failures += 1;
      const budget = fleet.percent === 0 ? 0 : Math.max(1, Math.floor((row.devices * fleet.percent) / 100));
      if (row.failures > budget && fleet.status === 'Running') this.#pause(fleet);
      this.#end(target, status);
    }
  }

  /** What the ticks of a node do with one operation on a device. */
  move(target: ModelTarget): void {
    const { fleet, index } = target;
    const step = target.steps.get(index);
    const isLate =
      step?.status === 'Running' &&
      fleet.steps[index] === 'command' &&
      Math.max(step.startedAt, fleet.resumedAt) + commandSecs <= this.now;
    if (target.status === 'Cancelled' && isLate) step.status = 'TimedOut';
    const isPaused = fleet.status === 'Paused';
    if (fleet.status !== 'Running' && !this.#mayProve(target)) return;
    if (target.status === 'Pending') {
      if (isPaused || target.releasedAt === undefined) return;
      if (Math.max(target.releasedAt, fleet.resumedAt) + fleet.deliverSecs >= this.now) return;
      this.#end(target, 'TimedOut');
      target.outcome = 'NotDelivered';
    } else if (target.status === 'Running') {
      const kind = fleet.steps[index] as StepKind;
      if (step === undefined) this.#advance(target, index);
      else if (isLate && !isPaused) this.#endStep(target, 'TimedOut');
      else if (kind !== 'command' && this.#holds(target, kind)) this.#endStep(target, 'Succeeded');
    }
  }

  /** The step that a device gets when it claims. */
  claim(device: ModelDevice): ModelTarget | undefined {
    const target = this.targets.find((one) => one.device === device && one.status === 'Running');
    const step = target?.steps.get(target.index);
    if (target === undefined || step?.status !== 'Running' || target.fleet.steps[target.index] !== 'command')
      return undefined;
    const isRecent = step.firstClaimedAt !== undefined && this.now - step.firstClaimedAt < ledgerWindowSecs;
    if (isRecent && step.claims >= 3) {
      this.#endStep(target, 'Failed');
      return undefined;
    }
    if (target.fleet.status !== 'Running') return undefined;
    step.claims = isRecent ? step.claims + 1 : 1;
    if (!isRecent) step.firstClaimedAt = this.now;
    step.isHandedOut = true;
    return target;
  }

  report(target: ModelTarget, index: number, report: 'Succeeded' | 'Failed' | 'Interrupted'): void {
    if (target.index !== index || target.steps.get(index)?.status !== 'Running') return;
    const isActive = target.status === 'Running';
    this.#endStep(target, report === 'Succeeded' ? 'Succeeded' : 'Failed');
    if (report === 'Interrupted' && isActive) target.outcome = 'Interrupted';
  }

  pause(fleet: ModelFleet): void {
    if (fleet.status === 'Running') this.#pause(fleet);
  }

  /** Whether a wait counts: that of an install also during a pause. */
  #mayProve({ fleet }: ModelTarget): boolean {
    return fleet.status === 'Running' || (fleet.status === 'Paused' && fleet.isInstall);
  }

  /** Whether a paused one would only pause again. */
  isHeldBack(fleet: ModelFleet): boolean {
    const { activeStage, stages, rows, targets } = fleet;
    if (fleet.status !== 'Paused' || stages[activeStage]?.autoAdvance !== true) return false;
    if (!rows.slice(activeStage + 1).some(({ devices }) => devices > 0)) return false;
    const isUnderWay = targets.some(
      (one) => one.isLatest && isUnended(one) && one.stage <= activeStage && wasThere(one),
    );
    return !isUnderWay && !this.isGuardOpen(fleet);
  }

  resume(fleet: ModelFleet): void {
    if (fleet.status !== 'Paused') return;
    [fleet.status, fleet.resumedAt] = ['Running', this.now];
    fleet.events.push('Resumed');
  }

  cancel(fleet: ModelFleet): void {
    if (fleet.isEnded || fleet.status === 'Cancelled') return;
    fleet.isEnded = fleet.status === 'Draft';
    fleet.status = 'Cancelled';
    fleet.events.push('Cancelled');
  }

  /** Takes the latest attempts that are tried again, and returns them; the new ones are added by whoever knows their ids. */
  retry(fleet: ModelFleet, isRetried: (target: ModelTarget) => boolean): ModelTarget[] {
    const again = fleet.targets.filter((target) => target.isLatest && isRetried(target));
    for (const target of again) {
      target.isLatest = false;
      const row = fleet.rows[target.stage] as StageRow;
      if (target.counts) row.failures -= 1;
      row.endedAt = undefined;
    }
    if (!['Running', 'Paused'].includes(fleet.status))
      [fleet.status, fleet.resumedAt] = ['Running', this.now];
    fleet.isEnded = false;
    fleet.events.push('Retried');
    return again;
  }
}
