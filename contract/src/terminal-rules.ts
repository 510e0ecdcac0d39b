import type { TerminalPolicy } from './terminal-shapes.ts';

/** The policy of a project that never chose one. */
export const defaultTerminalPolicy: TerminalPolicy = {
  access: 'Owners',
  isReasonNeeded: false,
  approval: 'None',
  recording: 'BestEffort',
  allowsTokens: false,
};

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

/** The marks that recordings have, as asciicast labels. */
export const recordingMarks = {
  gap: 'Output before this is missing',
  broken: 'This recording was changed after it was made: from here on it is not shown',
} as const;
