import { ActionError } from '@corral/contract';
import { callerKey } from '../concurrency/response-memory.ts';
import { CallerSemaphore } from '../concurrency/caller-semaphore.ts';
import type { Caller } from './executor.ts';

/** How many commands of one caller run at a time. They lock the same rows, and each that waits for one holds one of the hub's 20 connections to the database. */
const commandsOfDevice = 4;
const commandsOfUser = 8;
/** Of all users together: queries, devices and the hub itself always have connections. Devices have no such limit, since many of them share a statement. */
const commandsOfUsers = 12;
/** How many more of one caller wait, each with its input. */
const commandsWaiting = 1_000;

/** Limits concurrent commands of a caller, and of all users, so that they cannot take all database connections. */
export class CommandLimiter {
  readonly #ofDevices = limitEach(commandsOfDevice, Infinity);
  readonly #ofUsers = limitEach(commandsOfUser, commandsOfUsers);

  /**
   * Runs a command of a device, or of a user with all sessions and tokens, when fewer of that caller, and of all users, run than may; one of the hub itself or of somebody without an account at once. Throws an
   * `ActionError` of kind Throttled when too many wait.
   */
  run<Answer>(caller: Caller, command: () => Promise<Answer>): Promise<Answer> {
    const { actor } = caller.actor;
    if (actor === 'Device') return this.#ofDevices.run({ caller: callerKey(caller) }, command);
    if (actor === 'User' || actor === 'UserToken')
      return this.#ofUsers.run({ caller: callerKey(caller) }, command);
    return command();
  }
}

function limitEach(ofCaller: number, inAll: number): CallerSemaphore {
  return new CallerSemaphore({
    inAll,
    ofCaller,
    maxWaiting: commandsWaiting,
    full: () =>
      new ActionError('Throttled', 'Too many of your commands are waiting. Try again in 5 seconds.', {
        retryAfterSecs: 5,
      }),
  });
}
