import type { ChannelRequest } from '@corral/multiplex';
import type { TerminalConfig } from '../config.ts';
import type { Log } from '../log.ts';
import { openShell, shellProblem } from './open-shell.ts';
import { TerminalServer } from './TerminalServer.ts';

/** The terminals that people may have on this device. */
export interface Terminals {
  /** Who may have one, the default first; empty where there are none. */
  readonly users: readonly string[];
  /** Serves a channel to a terminal; rejects it where there are none. */
  serve(request: ChannelRequest): void;
  /** Whether one is open. */
  isBusy(): boolean;
}

/** Looks whether this machine can give shells the terminals that its configuration allows. */
export function prepareTerminals({ users, shell }: TerminalConfig, log: Log): Terminals {
  if (users.length === 0) return without('terminals are not enabled on this device');
  const problem = shellProblem();
  if (problem !== undefined) {
    log.warn(`this device offers no terminals: ${problem}`);
    return without(problem);
  }
  log.info(`this device offers terminals of ${users.join(', ')}`);
  const server = new TerminalServer({ users, open: (user) => openShell(user, shell), log });
  return { users, serve: (request) => server.serve(request), isBusy: () => server.isBusy };
}

const without = (reason: string): Terminals => ({
  users: [],
  serve: (request) => request.reject(reason),
  isBusy: () => false,
});
