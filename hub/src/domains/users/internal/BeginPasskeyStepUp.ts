import { ActionError, type Id, ids, type PasskeyRequest } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { requestPasskey } from '../../passkeys/index.ts';

/** What a browser needs to confirm by a passkey who has a session. */
export const BeginPasskeyStepUp: Internal<
  { readonly userId: Id<'user'>; readonly sessionId: Id<'session'> },
  PasskeyRequest
> = {
  name: 'users_BeginPasskeyStepUp',
  isQuery: true,

  async run(context) {
    const { userId, sessionId } = context.input;
    const use = { purpose: 'stepUp', subject: ids.session.raw(sessionId) } as const;
    const request = await requestPasskey(context, use, ids.user.raw(userId));
    if (request !== undefined) return request;
    throw new ActionError('Invalid', 'You have no passkey that works here.');
  },
};
