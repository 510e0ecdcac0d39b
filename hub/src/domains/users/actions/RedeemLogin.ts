import { ActionError, ids, type Output } from '@corral/contract';
import { hashSecret, isSecret, lookupKey } from '../../../auth/secret.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { amounts } from '../../../limits/amounts.ts';
import { mustHaveNoToken } from '../policy/logins.ts';
import { mustBeValidTokenBounds } from '../policy/new-token.ts';
import { deleteLogin, lockLogin, recordPoll, type LoginRequest } from '../sql/login-requests.ts';
import { queueMail } from '../sql/mail-queue.ts';
import { addUserToken } from '../sql/user-tokens.ts';

type Context = HandlerContext<'users_RedeemLogin'>;

const absentHash = hashSecret('');
const minPollIntervalMs = 1_000;

/** Answers how a request was decided; the token of an approved one is made now, so that no usable secret is ever stored. */
export const RedeemLogin: Handler<'users_RedeemLogin'> = {
  authorize: ({ actor }) => mustHaveNoToken(actor),

  async run(context) {
    const { tx, input, now } = context;
    const request = await lockLogin(tx, lookupKey(input.secret));
    if (!isSecret(input.secret, request?.secret_hash ?? absentHash) || request === undefined)
      return { result: 'Expired' };
    const { request_id: requestId, polled_at: polledAt } = request;
    if (polledAt !== null && now.getTime() - Date.parse(polledAt) < minPollIntervalMs)
      throw new ActionError('Throttled', 'Please ask at most once a second.', { retryAfterSecs: 1 });
    if (Date.parse(request.expires_at) <= now.getTime()) return { result: 'Expired' };
    if (request.is_approved === null) {
      await recordPoll(tx, requestId, now);
      return { result: 'Pending' };
    }
    await deleteLogin(tx, requestId);
    return request.is_approved ? makeToken(context, request) : { result: 'Denied' };
  },
};

async function makeToken(
  { tx, now, emit }: Context,
  request: LoginRequest,
): Promise<Output<'users_RedeemLogin'>> {
  const rawUserId = request.user_id ?? '';
  const expiresAt = new Date(now.getTime() + request.token_valid_secs * 1000).toISOString();
  const asked = { ...askedBoundsOf(request), expiresAt };
  // An administrator approved it in a session; whether it still is one is checked again.
  const creation = { userId: rawUserId, isByAdministrator: true, now };
  const bounds = await mustBeValidTokenBounds(tx, creation, asked);
  const secret = await addUserToken(tx, rawUserId, request.name, bounds, now);
  if (secret === undefined)
    throw new ActionError(
      'Invalid',
      `A user may have at most ${amounts.userTokens.max} tokens. Delete some first.`,
    );
  const [userId, tokenId] = [ids.user.of(rawUserId), ids.userTokenId.of(lookupKey(secret))];
  await queueMail(tx, { kind: 'TokenCreated', userId: rawUserId, now });
  emit('mail_Queued', {});
  // Who asks has no account so far: its user approved it.
  emit('users_TokenCreated', { userId, tokenId }, { actor: 'User', kind: 'User', userId });
  return { result: 'Approved', userId, tokenId, token: ids.userToken.of(secret), expiresAt };
}

function askedBoundsOf(request: LoginRequest) {
  return {
    ...(request.verbs === null
      ? { access: request.is_read_only ? ('read' as const) : ('full' as const) }
      : { verbs: request.verbs }),
    projects: request.project_ids?.map(ids.project.of),
    repositories: request.repository_ids?.map(ids.repository.of),
    administrator: request.is_administrator,
  };
}
