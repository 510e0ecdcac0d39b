import { ActionError } from '@corral/contract';
import { callerKey } from '../concurrency/response-memory.ts';
import { CallerSemaphore } from '../concurrency/caller-semaphore.ts';
import { createSemaphore } from '../concurrency/semaphore.ts';
import type { Caller } from './executor.ts';

/** How many commands of one caller run at a time. They lock the same rows, and each that waits for one holds one of the hub's connections to the database. */
const commandsOfDevice = 4;
const commandsOfUser = 8;
/**
 * How many of all users together: beside them, the searches and reads that run at a time and the connections that reads share, one is left for others. Devices have no such limit, since many
 * of them share a statement.
 */
const commandsOfUsers = 10;
/** How many of one caller share transactions, in which no command holds a connection of its own. */
const sharedOfCaller = 64;
/** How many more of one caller wait, each with its input. */
const commandsWaiting = 1_000;

/** Limits concurrent commands of a caller, and of all users, so that they cannot take all database connections. */
export class CommandLimiter {
  readonly #ofDevices = limitEach(commandsOfDevice);
  readonly #ofUsers = limitEach(commandsOfUser);
  readonly #shared = limitEach(sharedOfCaller);
  readonly #ofAllUsers = createSemaphore({ concurrency: commandsOfUsers });

  /**
   * Runs a command of a device, or of a user with all sessions and tokens, when fewer of that caller, and of all users, run than may; one of the hub itself or of somebody without an account at once. Throws an
   * `ActionError` of kind Throttled when too many wait.
   */
  run<Answer>(caller: Caller, command: () => Promise<Answer>): Promise<Answer> {
    const { actor } = caller.actor;
    if (actor === 'Device') return this.#ofDevices.run({ caller: callerKey(caller) }, command);
    if (actor === 'User' || actor === 'UserToken')
      return this.#ofUsers.run({ caller: callerKey(caller) }, () => this.#ofAllUsers.run(command));
    return command();
  }

  /** Runs a command that shares a transaction with others, or runs alone by `run` when it cannot. Throws as `run`. */
  runShared<Answer>(caller: Caller, command: () => Promise<Answer>): Promise<Answer> {
    const { actor } = caller.actor;
    const isLimited = actor === 'Device' || actor === 'User' || actor === 'UserToken';
    return isLimited ? this.#shared.run({ caller: callerKey(caller) }, command) : command();
  }
}

function limitEach(ofCaller: number): CallerSemaphore {
  return new CallerSemaphore({
    inAll: Infinity,
    ofCaller,
    waitingOfCaller: commandsWaiting,
    full: () =>
      new ActionError('Throttled', 'Too many of your commands are waiting. Try again in 5 seconds.', {
        retryAfterSecs: 5,
      }),
  });
}
