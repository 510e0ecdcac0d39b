import { callerKeys, placesOf } from '../limits/limit.ts';
import { limits } from '../limits/table.ts';
import type { Caller } from './executor.ts';

/** Limits concurrent commands of a caller, of all users and of all devices, so that they cannot take all database connections. */
export class CommandLimiter {
  readonly #ofDevices = placesOf(limits.commandsOfDevices);
  readonly #ofUsers = placesOf(limits.commandsOfUsers);

  /**
   * Runs a command of a device, or of a user with all sessions and tokens, when fewer of that caller, and of all devices or users, run than may; one of the hub itself or of somebody without an account at
   * once. Throws an `ActionError` of kind Throttled when too many wait.
   */
  run<Answer>(caller: Caller, command: () => Promise<Answer>): Promise<Answer> {
    const { actor } = caller.actor;
    if (actor === 'Device') return this.#ofDevices.run(callerKeys(caller), command);
    if (actor === 'User' || actor === 'UserToken') return this.#ofUsers.run(callerKeys(caller), command);
    return command();
  }
}
