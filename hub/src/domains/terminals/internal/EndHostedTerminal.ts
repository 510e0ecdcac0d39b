import type { Internal } from '../../../calls/handler.ts';
import { endTerminal } from '../policy/ending.ts';
import type { SessionEnd } from '../sql/sessions.ts';

/** Ends a terminal, once its recording is stored. */
export const EndHostedTerminal: Internal<SessionEnd & { readonly sessionId: string }, boolean> = {
  name: 'terminals_EndHostedTerminal',
  run: (context) => endTerminal(context, context.input.sessionId, context.input),
};
