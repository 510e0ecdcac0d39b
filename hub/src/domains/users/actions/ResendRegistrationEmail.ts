import { mustBeEmail } from '../../../auth/email.ts';
import { visitorCounts } from '../../../auth/request-limits.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAllowedToRegister } from '../policy/registration.ts';
import { instanceKey } from '../../instance/index.ts';
import { countMailTo, queueActivation, renewRegistration } from '../sql/registrations.ts';
import { countRequest } from '../sql/request-limits.ts';

/** Sends the link of the newest registration of an address again; the answer does not reveal whether one exists. */
export const ResendRegistrationEmail: Handler<'users_ResendRegistrationEmail'> = {
  async authorize({ tx, actor, input, now, registration: { isOpen }, vault }) {
    const { email, invitationToken } = input;
    await mustBeAllowedToRegister({ tx, now, vault }, actor, { isOpen, email, invitationToken });
  },

  async run({ tx, input, origin, now, emit, vault }) {
    const email = mustBeEmail(input.email);
    const key = await instanceKey({ tx, now, vault }, 'request-limits');
    await countRequest(tx, visitorCounts(key, 'resend', origin.ip), now);
    const registration = await renewRegistration(tx, email, now);
    if (registration !== undefined && (await countMailTo({ tx, now, vault }, email))) {
      await queueActivation(tx, registration, now);
      emit('mail_Queued', {});
    }
    return {};
  },
};
