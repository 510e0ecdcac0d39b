import type { TerminalEnd, TerminalRole } from './terminal-shapes.ts';

/** Somebody in a terminal. */
export interface TerminalPerson {
  readonly name: string;
  readonly role: TerminalRole;
}

/**
 * The text messages of `/api/v1/terminal/{sessionId}` to the hub, as JSON. `Drawn` has the bytes of output drawn so far; whoever sends it first with 0 is never ahead of it by more
 * than 512 KiB. `Present` comes every 5 s from an approver who sees the terminal.
 */
export type TerminalClientMessage =
  | { readonly type: 'Drawn'; readonly bytes: number }
  | { readonly type: 'Present' };

/**
 * The text messages of `/api/v1/terminal/{sessionId}` to the client, as JSON: who is in; the size of the terminal, to those who watch; that input waits, with a sentence, and goes on; that output is missing in the recording;
 * and before the close why it ended, with a sentence and the exit status where the device said one.
 */
export type TerminalHubMessage =
  | { readonly type: 'People'; readonly people: readonly TerminalPerson[] }
  | { readonly type: 'Size'; readonly cols: number; readonly rows: number }
  | { readonly type: 'Held'; readonly cause: 'Watch' | 'Recording'; readonly reason: string }
  | { readonly type: 'Goes on' }
  | { readonly type: 'Gap' }
  | {
      readonly type: 'Ended';
      readonly reason: TerminalEnd;
      readonly message: string;
      readonly status?: number;
    };
