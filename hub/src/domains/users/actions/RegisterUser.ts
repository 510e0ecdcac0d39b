import { ActionError, ids, type Input, type Output } from '@corral/contract';
import { mustBeEmail } from '../../../auth/email.ts';
import { mustBeName } from '../../../auth/names.ts';
import { hashPassword } from '../../../auth/password.ts';
import { mustBeGoodPassword } from '../../../auth/password-rules.ts';
import { newRawId } from '../../../auth/random.ts';
import { visitorCounts, type RequestLimit } from '../../../auth/request-limits.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Emit, Handler, HandlerContext } from '../../../calls/handler.ts';
import { mustBeAllowedToRegister } from '../policy/registration.ts';
import { instanceKey } from '../../instance/index.ts';
import { invitationOfLink } from '../../members/index.ts';
import { queueMail } from '../sql/mail-queue.ts';
import { sendPasswordLink } from '../sql/password-links.ts';
import {
  addAccount,
  addRegistration,
  countMailTo,
  oldestRegistration,
  queueActivation,
  type NewRegistration,
} from '../sql/registrations.ts';
import { countRequest, mustBeWithinLimits } from '../sql/request-limits.ts';

interface CheckedForm extends Omit<NewRegistration, 'now'> {
  readonly limits: readonly RequestLimit[];
}

/** The account of an address. */
interface Owner {
  readonly user_id: string;
  readonly only_invitation_id: string | null;
}

type Answer = Output<'users_RegisterUser'>;

const messages = {
  mailed: {
    Created: 'Follow the link in the e-mail that is on its way to you. It is good for 24 hours.',
    Pending:
      'A registration for this address waits to be confirmed. Follow the link in the e-mail that was sent to it.',
  },
  unmailed: {
    Created:
      'This hub has no mail server. Ask its administrator for the link that activates the account; the registration is kept for 7 days.',
    Pending:
      'A registration for this address waits to be activated. This hub has no mail server: ask its administrator for the link.',
  },
};
const joinedMessage = 'The account is active. Sign in with your e-mail address and password.';

/**
 * Registers an account. The password is always hashed, and every outcome but a refusal queues one e-mail, so that timing does not reveal
 * whether an account exists. Each registration of an address has its own link and password, so a link never confirms the password of
 * another registration. Without a mail server the link of an invitation makes the account, whose address then counts as unconfirmed.
 */
export const RegisterUser: Handler<'users_RegisterUser', CheckedForm, CheckedForm> = {
  async prepare(context) {
    const { tx, actor, input, origin, now, registration, vault } = context;
    const { email, invitationToken } = input;
    const { isOpen } = registration;
    await mustBeAllowedToRegister({ tx, now, vault }, actor, { isOpen, email, invitationToken });
    const form = { ...mustBeForm(input), userId: newRawId() };
    const key = await instanceKey({ tx, now, vault }, 'request-limits');
    // Whoever was invited is no stranger: a whole office may join from one network.
    const limits = (await joinsByInvitation(context)) ? [] : visitorCounts(key, 'register', origin.ip);
    await mustBeWithinLimits(tx, limits, now);
    return { ...form, limits, passwordHash: await hashPassword(input.password) };
  },

  async authorize({ tx, actor, input, now, registration, vault }, form) {
    const { email, invitationToken } = input;
    const { isOpen } = registration;
    await mustBeAllowedToRegister({ tx, now, vault }, actor, { isOpen, email, invitationToken });
    return form;
  },

  async run({ tx, input, now, emit, registration, vault }, { limits, ...form }) {
    await countRequest(tx, limits, now);
    const { isMailConfigured } = registration;
    const owner = await ownerOf(tx, form.email);
    const account = { ...form, now };
    const link = isMailConfigured ? undefined : input.invitationToken;
    const invitation = link === undefined ? undefined : await invitationOfLink({ tx, now, vault }, link);
    const isInvited = invitation?.email === form.email;
    if (invitation !== undefined && isInvited && owner === undefined)
      return join(tx, account, invitation.invitationId, emit);
    const pending = await oldestRegistration(tx, form.email, now);
    if (await countMailTo({ tx, now, vault }, form.email)) {
      if (owner === undefined) await register(tx, account, isMailConfigured, emit);
      else await mailOwner(tx, owner, isMailConfigured, now);
      emit('mail_Queued', {});
    }
    if (owner !== undefined && !registration.concealsExisting) return { result: 'EmailAlreadyExists' };
    if (isInvited) return answer(account, 'Completed', joinedMessage);
    const texts = isMailConfigured ? messages.mailed : messages.unmailed;
    if (pending === undefined || registration.concealsExisting)
      return answer(account, 'Pending', texts.Created);
    const status = pending.email_sent_at === null ? 'Pending' : 'Waiting';
    const later = answer(account, status, texts.Pending);
    return { ...later, result: 'Pending', createdAt: pending.created_at };
  },
};

/** Whether the link of an invitation makes the account. */
async function joinsByInvitation({
  tx,
  input,
  now,
  registration,
  vault,
}: Pick<
  HandlerContext<'users_RegisterUser'>,
  'tx' | 'input' | 'now' | 'registration' | 'vault'
>): Promise<boolean> {
  if (registration.isMailConfigured || input.invitationToken === undefined) return false;
  const invitation = await invitationOfLink({ tx, now, vault }, input.invitationToken);
  return (
    invitation?.email === mustBeEmail(input.email) && (await ownerOf(tx, invitation.email)) === undefined
  );
}

function mustBeForm(
  input: Input<'users_RegisterUser'>,
): Omit<CheckedForm, 'limits' | 'passwordHash' | 'userId'> {
  const displayName = input.displayName === undefined ? null : mustBeName(input.displayName, 'fullName');
  const email = mustBeEmail(input.email);
  mustBeGoodPassword(input.password, email);
  if (!input.consentedToTerms)
    throw new ActionError('Invalid', 'Please agree to the Terms of Service and Privacy Policy.');
  return { displayName, email, consentedToMarketing: input.consentedToMarketing ?? false };
}

async function ownerOf(tx: Database, email: string): Promise<Owner | undefined> {
  return tx
    .selectFrom('users')
    .select(['user_id', 'only_invitation_id'])
    .where('email', '=', email)
    .executeTakeFirst();
}

/** Tells whom an address belongs to that it has an account. One that nothing has confirmed may be a stranger's: the link takes it over. */
async function mailOwner(tx: Database, owner: Owner, isMailed: boolean, now: Date): Promise<void> {
  const userId = owner.user_id;
  if (owner.only_invitation_id === null || !isMailed)
    await queueMail(tx, { kind: 'AddressTaken', userId, now });
  else await sendPasswordLink(tx, userId, now);
}

async function register(
  tx: Database,
  registration: NewRegistration,
  isMailed: boolean,
  emit: Emit,
): Promise<void> {
  const { userId, email, now } = registration;
  await addRegistration(tx, registration, isMailed);
  await queueActivation(tx, userId, now);
  emit('users_RegistrationCreated', { userId: ids.user.of(userId), email });
}

/** Makes an account by the link of an invitation. */
async function join(
  tx: Database,
  account: NewRegistration,
  onlyInvitationId: string,
  emit: Emit,
): Promise<Answer> {
  const { email, now } = account;
  const userId = await addAccount(tx, account, { consentedAt: now, onlyInvitationId });
  if (userId === undefined) return { result: 'EmailAlreadyExists' };
  emit('users_Created', { userId, email });
  emit('users_RegistrationCompleted', { userId });
  return answer(account, 'Completed', joinedMessage);
}

function answer({ userId, now }: NewRegistration, tag: 'Pending' | 'Waiting' | 'Completed', message: string) {
  const createdAt = now.toISOString();
  return { result: 'Created' as const, status: { tag }, message, createdAt, userId: ids.user.of(userId) };
}
