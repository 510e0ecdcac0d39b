import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelRequest } from '@corral/multiplex';
import { getProperty, setProperty } from '../commands/device-calls.ts';
import {
  schemaFault,
  unknownCommand,
  type CommandCall,
  type CommandResult,
} from '../device-commands/run-command.ts';
import { HandlerServer } from '../device-commands/serve-handler.ts';
import type { DeviceLink } from '../link/device-link.ts';
import { TerminalServer } from '../terminal/TerminalServer.ts';
import { OperationWorker } from '../operations/OperationWorker.ts';
import { chance, isFault, type Fault, type FaultOf } from './faults.ts';
import { abilitiesOf, commandsOf, type Abilities, type WantedProperty } from './simulated-commands.ts';
import { generateDevice } from './generated-device.ts';
import { SimulatedLedger } from './SimulatedLedger.ts';
import { SimulatedShell } from './SimulatedShell.ts';
import { asVersion, type InstalledVersion, type SimulatedSoftware } from './SimulatedSoftware.ts';
import { wantedVersion } from './wanted-version.ts';

/** What a simulated machine is made of. */
export interface MachineOptions {
  readonly index: number;
  readonly seed: number;
  readonly faultOf: FaultOf;
  readonly software: SimulatedSoftware;
}

/** The property that makes a simulated device fail: the name of a fault. */
const faultProperty = 'simulation.fault';
const installedProperty = 'corral.installed';
const otaStatusProperty = 'dev.nexigon.ota.status';

const pollIntervalSecs = 20;
const hourMs = 3_600_000;
const slowMs = 60_000;
const silent = { info: () => undefined, warn: () => undefined };

/** What a device does after it has restarted. */
interface Restart {
  readonly target: InstalledVersion;
  readonly fault: Fault | undefined;
  readonly reportedIn: typeof installedProperty | typeof otaStatusProperty;
}

/** A simulated device beyond its links: it does commands, restarts, and installs versions. */
export class SimulatedMachine {
  readonly #options: MachineOptions;
  readonly #abilities: Abilities;
  readonly #handlers: HandlerServer;
  readonly #terminals: TerminalServer;
  readonly #worker: OperationWorker;
  #link: DeviceLink | undefined;
  #fault: Fault | undefined;
  #restart: Restart | undefined;
  #isInstalling = false;
  readonly #seenVersions = new Map<WantedProperty, number>();
  #awayMs: number | undefined;
  #calls = 0;

  constructor(options: MachineOptions) {
    this.#options = options;
    this.#abilities = abilitiesOf(options.index);
    const run = (call: CommandCall): Promise<CommandResult> => this.#run(call);
    const ledger = new SimulatedLedger(async (stage) => {
      if (stage === 'begun') this.#fault = await this.#faultFrom(this.#link);
      if (this.#fault === `cut-${stage}`) this.#leave('the link was cut', 1_000);
    });
    this.#worker = new OperationWorker({ ledger, run, pollIntervalSecs, log: silent });
    this.#handlers = new HandlerServer(run, 4, silent);
    const { hostname = 'device' } = generateDevice(options.index).systemInfo;
    const open = (user: string): SimulatedShell => new SimulatedShell(user, hostname);
    this.#terminals = new TerminalServer({ users: this.#abilities.terminalUsers, open, log: silent });
  }

  /** Serves a channel by which the hub has a command run; rejects it where the device takes none. */
  serveHandler(request: ChannelRequest): void {
    if (this.#abilities.takesCommands) this.#handlers.serve(request);
    else request.reject('unknown endpoint');
  }

  /** Serves a channel to a terminal; rejects it where the device has none. */
  serveTerminal(request: ChannelRequest): void {
    if (this.#abilities.terminalUsers.length > 0) this.#terminals.serve(request);
    else request.reject('unknown endpoint');
  }

  /** How long the device stays away after it has closed its link, in milliseconds; undefined: as its role says. */
  takeAwayMs(): number | undefined {
    const awayMs = this.#awayMs;
    this.#awayMs = undefined;
    return awayMs;
  }

  /** Works over a new link until it ends. Rejected when the link ends while it reports what became of an installation. */
  async connected(link: DeviceLink): Promise<void> {
    this.#link = link;
    if (this.#abilities.asksForWork) this.#worker.serve(link);
    await this.#report(link);
  }

  /** Looks whether the device shall have another version, and installs it. Rejected as calls are. */
  async checkWanted(link: DeviceLink): Promise<void> {
    for (const name of this.#abilities.wantedProperties)
      if (!this.#isInstalling && this.#restart === undefined) await this.#check(link, name);
  }

  async #check(link: DeviceLink, name: WantedProperty): Promise<void> {
    const found = await link.executor.invoke('devices_GetDeviceProperty', { deviceId: link.deviceId, name });
    if (found.result === 'NotFound' || found.version === this.#seenVersions.get(name)) return;
    const target = await wantedVersion(link.executor, found.value);
    this.#seenVersions.set(name, found.version);
    if (target === undefined) return;
    const isRugix = name === 'dev.nexigon.ota.config';
    if (isRugix)
      await setProperty(link, otaStatusProperty, {
        state: 'installing',
        currentVersion: this.#options.software.version,
      });
    this.#fault = await this.#faultFrom(link);
    if (this.#fault === 'fails') return;
    await this.#install(target, isRugix ? otaStatusProperty : installedProperty);
  }

  async #run(call: CommandCall): Promise<CommandResult> {
    const startedAtMs = performance.now();
    const done = (result: Partial<CommandResult>): CommandResult => ({
      status: 'Ok',
      logTail: [],
      ...result,
      durationMs: Math.round(performance.now() - startedAtMs),
    });
    const command = commandsOf(this.#options.index).find(({ name }) => name === call.command);
    if (command === undefined) return unknownCommand(call.command);
    const misfit = schemaFault(`The input of the command ${command.name}`, command.input, call.input);
    if (misfit !== undefined) return done({ status: 'Error', error: misfit });
    this.#fault = await this.#faultFrom(this.#link);
    await call.onLog?.([`${command.name} begins\n`]);
    if (this.#fault === 'cut-running') this.#leave('the link was cut', 1_000);
    const stopped = { status: 'Error', error: 'The command was stopped.', isStopped: true } as const;
    const durationMs = this.#fault === 'slow' ? slowMs : 200 + this.#chance() * 1_300;
    if (!(await pause(durationMs, call.signal))) return done(stopped);
    if (this.#fault === 'fails')
      return done({
        status: 'Error',
        error: `The command ${command.name} ended with exit code 1.`,
        logTail: [`${command.name}: the device is simulated to fail\n`],
      });
    return done(await this.#effect(call, command.name));
  }

  async #effect({ input }: CommandCall, name: string): Promise<Partial<CommandResult>> {
    const fields = (input ?? {}) as Readonly<Record<string, unknown>>;
    if (name === 'collect-logs') return { output: { lines: logLines(Number(fields['lines'] ?? 20)) } };
    if (name === 'restart-service') return { output: { unit: String(fields['unit']), active: true } };
    if (name === 'reboot') {
      this.#restartSoon(Number(fields['delaySecs'] ?? 0) * 1_000);
      return { output: { reboots: true } };
    }
    const target = asVersion(input);
    if (target !== undefined) await this.#install(target, installedProperty);
    return { output: { version: target?.version ?? '' } };
  }

  /** A device that has the version says so; another one restarts into it. */
  async #install(target: InstalledVersion, reportedIn: Restart['reportedIn']): Promise<void> {
    this.#restart = { target, fault: this.#fault, reportedIn };
    if (!this.#options.software.has(target)) return this.#restartSoon(0);
    if (this.#link !== undefined) await this.#report(this.#link);
  }

  /** After the result has been told. */
  #restartSoon(delayMs: number): void {
    const awayMs = this.#fault === 'no-return' ? hourMs : 2_000 + this.#chance() * 4_000;
    setTimeout(() => this.#leave('the device restarts', awayMs), 1_000 + delayMs).unref();
  }

  /** Tells what runs after an installation. */
  async #report(link: DeviceLink): Promise<void> {
    if (this.#restart === undefined || this.#isInstalling) return;
    this.#isInstalling = true;
    try {
      const { target, fault, reportedIn } = this.#restart;
      const { software } = this.#options;
      if (fault !== 'old-version' && !software.has(target)) await software.install(target);
      const runs = { ...target, version: software.version };
      const value =
        reportedIn === installedProperty ? runs : { state: 'completed', currentVersion: runs.version };
      if (fault !== 'stale-property') {
        await setProperty(link, 'app.version', runs.version);
        await setProperty(link, reportedIn, value);
      }
      this.#restart = undefined;
    } finally {
      this.#isInstalling = false;
    }
  }

  #leave(reason: string, awayMs: number): void {
    this.#awayMs = awayMs;
    this.#link?.close(reason);
  }

  async #faultFrom(link: DeviceLink | undefined): Promise<Fault | undefined> {
    const named =
      link === undefined ? undefined : await getProperty(link, faultProperty).catch(() => undefined);
    return isFault(named) ? named : this.#options.faultOf(this.#options.index);
  }

  #chance(): number {
    this.#calls += 1;
    return chance('machine', this.#options.seed, this.#options.index, this.#calls);
  }
}

function logLines(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `gateway[412]: reading ${at + 1} of ${count} taken`);
}

/** Whether the time passed before the signal aborted. */
async function pause(durationMs: number, signal: AbortSignal): Promise<boolean> {
  return sleep(durationMs, true, { signal }).catch(() => false);
}
