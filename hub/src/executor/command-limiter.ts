import { callerKey, callerKeys } from '../concurrency/response-memory.ts';
import { CallerSemaphore } from '../concurrency/caller-semaphore.ts';
import { createSemaphore } from '../concurrency/semaphore.ts';
import type { Caller } from './executor.ts';
import { mostWaitingOfCaller, tooManyWaiting } from './too-many-waiting.ts';

/**
 * How many commands of one user run at a time, and of all users. They lock the same rows, and each that waits for one holds one of the hub's connections to the database: beside them, the
 * commands of devices, the searches and reads that run at a time and the connections that reads share, three are left for others.
 */
const commandsOfUser = 8;
const commandsOfUsers = 10;
/** How many of one device, of the devices of one project, and of all devices. */
const commandsOfDevice = 4;
const commandsOfProject = 5;
const commandsOfDevices = 6;
/** How many more of all devices wait. */
const waitingOfDevices = 4_000;

/** Limits concurrent commands of a caller, of all users and of all devices, so that they cannot take all database connections. */
export class CommandLimiter {
  readonly #ofDevices = new CallerSemaphore({
    inAll: commandsOfDevices,
    ofCaller: commandsOfDevice,
    ofProject: commandsOfProject,
    waitingOfCaller: mostWaitingOfCaller,
    waiting: waitingOfDevices,
    full: tooManyWaiting('commands'),
  });
  readonly #ofUsers = new CallerSemaphore({
    inAll: Infinity,
    ofCaller: commandsOfUser,
    waitingOfCaller: mostWaitingOfCaller,
    full: tooManyWaiting('commands'),
  });
  readonly #ofAllUsers = createSemaphore({ concurrency: commandsOfUsers });

  /**
   * Runs a command of a device, or of a user with all sessions and tokens, when fewer of that caller, and of all devices or users, run than may; one of the hub itself or of somebody without an account at
   * once. Throws an `ActionError` of kind Throttled when too many wait.
   */
  run<Answer>(caller: Caller, command: () => Promise<Answer>): Promise<Answer> {
    const { actor } = caller.actor;
    if (actor === 'Device') return this.#ofDevices.run(callerKeys(caller), command);
    if (actor === 'User' || actor === 'UserToken')
      return this.#ofUsers.run({ caller: callerKey(caller) }, () => this.#ofAllUsers.run(command));
    return command();
  }
}
