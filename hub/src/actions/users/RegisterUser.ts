import { ActionError, ids, type Input, type Output } from '@corral/contract';
import { mustBeEmail } from '../../auth/email.ts';
import { mustBeName } from '../../auth/names.ts';
import { hashPassword } from '../../auth/password.ts';
import { mustBeGoodPassword } from '../../auth/password-rules.ts';
import { requestLimits, type RequestLimit } from '../../auth/request-limits.ts';
import type { Database } from '../../db/connect.ts';
import type { Emit, Handler } from '../../executor/handler.ts';
import { mustBeAllowedToRegister } from '../../policy/registration.ts';
import { instanceKey } from '../../store/instance-keys.ts';
import { queueMail } from '../../store/mail-queue.ts';
import {
  addRegistration,
  countMailTo,
  oldestRegistration,
  queueActivation,
  type NewRegistration,
} from '../../store/registrations.ts';
import { countRequest, mustBeWithinLimits } from '../../store/request-limits.ts';

interface CheckedForm extends Omit<NewRegistration, 'now'> {
  readonly limits: readonly RequestLimit[];
}

type Answer = Output<'users_RegisterUser'>;

const createdMessage = 'Follow the link in the e-mail that is on its way to you. It is good for 24 hours.';
const pendingMessage =
  'A registration for this address waits to be confirmed. Follow the link in the e-mail that was sent to it.';

/**
 * Registers an account. The password is always hashed, and every outcome but a refusal sends one e-mail, so that timing does not reveal
 * whether an account exists. Each registration of an address has its own link and password, so a link never confirms the password of
 * another registration.
 */
export const RegisterUser: Handler<'users_RegisterUser', CheckedForm, CheckedForm> = {
  async prepare({ tx, actor, input, origin, now, registration, vault }) {
    const { email, invitationToken } = input;
    const { isOpen } = registration;
    await mustBeAllowedToRegister({ tx, now, vault }, actor, { isOpen, email, invitationToken });
    const form = mustBeForm(input);
    const limits = requestLimits(
      await instanceKey({ tx, now, vault }, 'request-limits'),
      'register',
      origin.ip,
    );
    await mustBeWithinLimits(tx, limits, now);
    return { ...form, limits, passwordHash: await hashPassword(input.password) };
  },

  async authorize({ tx, actor, input, now, registration, vault }, form) {
    const { email, invitationToken } = input;
    const { isOpen } = registration;
    await mustBeAllowedToRegister({ tx, now, vault }, actor, { isOpen, email, invitationToken });
    return form;
  },

  async run({ tx, now, emit, registration, vault }, { limits, ...form }) {
    await countRequest(tx, limits, now);
    const owner = await ownerOf(tx, form.email);
    const pending = await oldestRegistration(tx, form.email, now);
    if (await countMailTo({ tx, now, vault }, form.email)) {
      if (owner === undefined) await register(tx, { ...form, now }, emit);
      else await queueMail(tx, { kind: 'AddressTaken', userId: owner, now });
      emit('mail_Queued', {});
    }
    if (registration.concealsExisting) return created(now);
    if (owner !== undefined) return { result: 'EmailAlreadyExists' };
    return pending === undefined ? created(now) : pendingAnswer(pending);
  },
};

function mustBeForm(input: Input<'users_RegisterUser'>): Omit<CheckedForm, 'limits' | 'passwordHash'> {
  const displayName = input.displayName === undefined ? null : mustBeName(input.displayName, 'fullName');
  const email = mustBeEmail(input.email);
  mustBeGoodPassword(input.password, email);
  if (!input.consentedToTerms)
    throw new ActionError('Invalid', 'Please agree to the Terms of Service and Privacy Policy.');
  return { displayName, email, consentedToMarketing: input.consentedToMarketing ?? false };
}

async function ownerOf(tx: Database, email: string): Promise<string | undefined> {
  const owner = await tx.selectFrom('users').select('user_id').where('email', '=', email).executeTakeFirst();
  return owner?.user_id;
}

async function register(tx: Database, registration: NewRegistration, emit: Emit): Promise<void> {
  const rawId = await addRegistration(tx, registration);
  await queueActivation(tx, rawId, registration.now);
  emit('users_RegistrationCreated', { userId: ids.user.of(rawId), email: registration.email });
}

function created(now: Date): Answer {
  return {
    result: 'Created',
    status: { tag: 'Pending' },
    message: createdMessage,
    createdAt: now.toISOString(),
  };
}

function pendingAnswer(pending: { created_at: string; email_sent_at: string | null }): Answer {
  return {
    result: 'Pending',
    status: { tag: pending.email_sent_at === null ? 'Pending' : 'Waiting' },
    message: pendingMessage,
    createdAt: pending.created_at,
  };
}
