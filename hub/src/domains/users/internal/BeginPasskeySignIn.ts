import { ActionError, type PasskeyRequest } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { requestPasskey } from '../../passkeys/index.ts';

/** What a browser needs to sign somebody in by a passkey alone, whom nobody has named. */
export const BeginPasskeySignIn: Internal<void, PasskeyRequest> = {
  name: 'users_BeginPasskeySignIn',
  isQuery: true,
  isForAnonymous: true,

  async run(context) {
    const request = await requestPasskey(context, { purpose: 'signIn', subject: '' });
    if (request !== undefined) return request;
    throw new ActionError('Invalid', 'This hub has no name at which browsers know passkeys.');
  },
};
