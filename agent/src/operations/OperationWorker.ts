import type { Executor } from '@corral/client';
import type { Output } from '@corral/contract';
import { ChannelClosure, RpcError } from '@corral/multiplex';
import type { RunCommand } from '../device-commands/run-command.ts';
import type { DeviceLink } from '../link/device-link.ts';
import type { Log } from '../log.ts';
import type { Ledger, StepReport } from './Ledger.ts';
import { reportOf } from './step-report.ts';

/** What the worker works with. */
export interface WorkerOptions {
  readonly ledger: Pick<Ledger, 'begin' | 'find' | 'finish' | 'remove'>;
  readonly run: RunCommand;
  /** How long to wait after the hub had no work. */
  readonly pollIntervalSecs: number;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

type WorkItem = Output<'devices_ClaimOperationWork'>['work'][number];
type Link = Pick<DeviceLink, 'closed' | 'deviceId' | 'end' | 'openExecutor'>;

/** Words by which hubs recognise it. */
const interrupted: StepReport = {
  status: 'Failed',
  error:
    'previous command execution was interrupted after dispatch: the link to the hub or the device went down while it ran',
};

/** Asks the hub for steps of operations, one at a time, runs their commands and reports the results. */
export class OperationWorker {
  readonly #options: WorkerOptions;
  #last: Promise<void> = Promise.resolve();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Works over a link until it ends; a command that runs then is killed. */
  serve(link: Link): void {
    this.#last = this.#last.then(() => this.#work(link));
  }

  async #work(link: Link): Promise<void> {
    const ended = new AbortController();
    void link.closed.then(() => ended.abort());
    let executor: Executor | undefined;
    let lastProblem: string | undefined;
    while (link.end === undefined) {
      try {
        executor ??= await link.openExecutor();
        await this.#next(link, executor, ended.signal);
        lastProblem = undefined;
      } catch (error) {
        if (link.end !== undefined) return;
        if (error instanceof ChannelClosure) executor = undefined;
        const problem = error instanceof Error ? error.message : String(error);
        if (problem !== lastProblem) this.#options.log.warn(`the hub gives no work: ${problem}`);
        lastProblem = problem;
        await this.#pause(ended.signal);
      }
    }
  }

  /** The hub answers when there is work, or after a time that it chooses. */
  async #next({ deviceId }: Link, executor: Executor, signal: AbortSignal): Promise<void> {
    const { work } = await executor.invoke('devices_ClaimOperationWork', {
      deviceId,
      limit: 1,
      kinds: ['DeviceCommand'],
    });
    const [item] = work;
    if (item === undefined) return this.#pause(signal);
    const report = await this.#resultOf(item, signal);
    // Without a link nobody takes it; it waits in the ledger for the next claim.
    if (report === undefined || signal.aborted) return;
    await this.#report(executor, deviceId, item, report);
    await this.#keep(() => this.#options.ledger.remove(item.deviceOperationId, item.stepIndex));
  }

  /** Runs the command of a step unless this device began it before; undefined when the link ended meanwhile. */
  async #resultOf(item: WorkItem, signal: AbortSignal): Promise<StepReport | undefined> {
    const { ledger, log, run } = this.#options;
    const { deviceOperationId, stepIndex, operationName, step } = item;
    const known = ledger.find(deviceOperationId, stepIndex);
    if (known !== undefined) return known.report ?? interrupted;
    if (step.kind !== 'DeviceCommand') return { status: 'Failed', error: 'This device does no tasks.' };
    try {
      await ledger.begin(deviceOperationId, stepIndex);
    } catch (error) {
      log.warn((error as Error).message);
      return {
        status: 'Failed',
        error: `The command was not run, because this device cannot record that it begins. ${(error as Error).message}`,
      };
    }
    const { command, input, timeoutSecs } = step;
    const result = await run({ command, input, timeoutSecs, signal });
    if (result.isStopped === true) return undefined;
    log.info(`${command} of the operation ${operationName} ended: ${result.error ?? 'done'}`);
    const report = reportOf(result);
    await this.#keep(() => ledger.finish(deviceOperationId, stepIndex, report));
    return report;
  }

  async #report(
    executor: Executor,
    deviceId: Link['deviceId'],
    { deviceOperationId, stepIndex, claimId }: WorkItem,
    report: StepReport,
  ): Promise<void> {
    const send = (told: StepReport) =>
      executor.invoke('devices_ReportOperationStep', {
        deviceId,
        deviceOperationId,
        stepIndex,
        claimId,
        report: told,
      });
    try {
      await send(report);
    } catch (error) {
      // Any other failure is none of the result: it stays in the ledger for the next claim.
      if (!(error instanceof RpcError) || error.kind !== 'Invalid') throw error;
      this.#options.log.warn(`the hub refused the result of a step: ${error.message}`);
      if (report.output === undefined) return;
      const refused = `The command ended well, but the hub refused its output. ${error.message}`;
      await send({ status: 'Failed', error: refused.slice(0, 4_000) });
    }
  }

  /** What could not be written is still known until this process ends. */
  async #keep(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#options.log.warn((error as Error).message);
    }
  }

  #pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, this.#options.pollIntervalSecs * 1_000);
      signal.addEventListener('abort', wake, { once: true });
      if (signal.aborted) wake();
    });
  }
}
