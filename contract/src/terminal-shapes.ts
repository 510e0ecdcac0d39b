import { z } from 'zod';

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

/** The policy of a project that never chose one. */
export const defaultTerminalPolicy: TerminalPolicy = {
  access: 'Owners',
  isReasonNeeded: false,
  approval: 'None',
  recording: 'BestEffort',
  allowsTokens: false,
};

/** Whether a terminal waits for an approval, can be used, or has ended. */
export const terminalState = z.enum(['Waiting', 'Open', 'Ended']);

/** See `terminalState`. */
export type TerminalState = z.infer<typeof terminalState>;

/** What somebody in a terminal may do. */
export const terminalRole = z.enum(['Types', 'Watches']);

/** See `terminalRole`. */
export type TerminalRole = z.infer<typeof terminalRole>;

/** Why terminals end, with a sentence for people. */
export const terminalEnds = {
  Exited: 'The shell ended.',
  Closed: 'Somebody ended the session.',
  Left: 'Nobody came back within a minute.',
  NeverEntered: 'Nobody entered the session.',
  Idle: 'Nothing was typed for 15 minutes.',
  TooLong: 'The session reached its limit of 8 hours.',
  NotApproved: 'The session was not approved.',
  NoApprover: 'Nobody approved the session within 15 minutes.',
  ApproverLeft: 'Nobody who may approve it watched the session for five minutes.',
  AccessEnded: 'The one who opened the session may not use it any more.',
  DeviceRefused:
    'The device ended the session before it began: the user is not allowed there, or too many sessions are open.',
  DeviceUnreachable: 'The device could not be reached.',
  DeviceDisconnected: 'The device disconnected.',
  DeviceMalformed: 'The device sent something that is no terminal output.',
  RecordingFailed: 'The session could not be recorded, and this project requires that.',
  HubStopped: 'The hub that served the session stopped.',
} as const;

/** Why a terminal ended. */
export const terminalEnd = z.enum(
  Object.keys(terminalEnds) as [keyof typeof terminalEnds, ...(keyof typeof terminalEnds)[]],
);

/** See `terminalEnd`. */
export type TerminalEnd = z.infer<typeof terminalEnd>;
