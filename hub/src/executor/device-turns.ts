import { CallerSemaphore } from '../concurrency/caller-semaphore.ts';
import type { Caller } from './executor.ts';

/** How many commands of one device run at a time. They lock rows of their device, and each that waits for one holds one of the hub's 20 connections to the database. */
const commandsOfDevice = 4;

/** Gives the commands of each device their turns, so that those of one device leave connections to the database to others. */
export class DeviceTurns {
  readonly #semaphore = new CallerSemaphore({ inAll: Infinity, ofCaller: commandsOfDevice });

  /** Runs a command when its turn has come, that of another caller than a device at once. */
  run<Answer>({ actor }: Caller, command: () => Promise<Answer>): Promise<Answer> {
    return actor.actor === 'Device' ? this.#semaphore.run({ caller: actor.deviceId }, command) : command();
  }
}
