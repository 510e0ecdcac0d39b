import { z } from 'zod';
import { terminalEnds } from './terminal-rules.ts';

/** Who may open terminals on the devices of a project. */
const terminalAccess = z.enum(['Off', 'Owners', 'Members']);

/** Whether another owner approves a terminal before it opens, or watches it while it is typed in. */
export const terminalApproval = z.enum(['None', 'Approve', 'Watch']);

/** What happens when output cannot be recorded: it is shown with a marked gap, or waits for ten seconds and then ends. */
export const terminalRecording = z.enum(['BestEffort', 'Required']);

/** Who may open terminals in a project, and how. */
export const terminalPolicy = z.object({
  access: terminalAccess,
  /** Whether who opens one says why. */
  isReasonNeeded: z.boolean(),
  approval: terminalApproval,
  recording: terminalRecording,
  /** Whether user tokens may open one. */
  allowsTokens: z.boolean(),
});

/** See `terminalPolicy`. */
export type TerminalPolicy = z.infer<typeof terminalPolicy>;

/** Whether a terminal waits for an approval, can be used, or has ended. */
export const terminalState = z.enum(['Waiting', 'Open', 'Ended']);

/** See `terminalState`. */
export type TerminalState = z.infer<typeof terminalState>;

/** What somebody in a terminal may do. */
export const terminalRole = z.enum(['Types', 'Watches']);

/** See `terminalRole`. */
export type TerminalRole = z.infer<typeof terminalRole>;

/** Why a terminal ended. */
export const terminalEnd = z.enum(
  Object.keys(terminalEnds) as [keyof typeof terminalEnds, ...(keyof typeof terminalEnds)[]],
);

/** See `terminalEnd`. */
export type TerminalEnd = z.infer<typeof terminalEnd>;
