import { ActionError, ids, type Output } from '@corral/contract';
import { networkOf } from '../../../auth/network.ts';
import { countsOf } from '../../../auth/request-limits.ts';
import { lookupKey } from '../../../auth/secret.ts';
import type { CiToken } from '../../../auth/ci/ci-issuers.ts';
import { CiTokenRefused, type CiClaims } from '../../../auth/ci/CiTokenRefused.ts';
import { differencesOf, jobOf } from '../../../auth/ci/publisher-match.ts';
import { Refusal } from '../../../calls/failures.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { instanceKey } from '../../instance/index.ts';
import { addUserToken, countRequest, mustHaveNoToken } from '../../users/index.ts';
import { findPublishers, keepRefusal, noteUse, useOnce, type PublisherRow } from '../sql/publishers.ts';

type Context = HandlerContext<'repositories_ExchangeIdToken'>;

const validForMs = 15 * 60_000;
const longestTokenName = 100;

/** A token that its issuer has signed, and why it is refused whatever the repository. */
interface Signed {
  readonly claims: CiClaims;
  readonly token: CiToken | undefined;
  readonly reason: string | undefined;
}

/** What outsiders learn, whatever the reason. */
function notAccepted(): ActionError {
  return new ActionError(
    'Forbidden',
    'The hub does not accept this ID token for this repository. Owners of the repository see why in its settings.',
  );
}

/** Exchanges the ID token of a CI job for a token of the service account of the publisher that the job is. */
export const ExchangeIdToken: Handler<'repositories_ExchangeIdToken', Signed, Signed> = {
  async prepare(context) {
    const { tx, actor, input, origin, now, origins, ciIssuers } = context;
    mustHaveNoToken(actor);
    const key = await instanceKey(context, 'request-limits');
    const ofNetwork = countsOf(key, 'idTokensOfNetwork', networkOf(origin.ip ?? ''));
    await countRequest(tx, [...ofNetwork, ...countsOf(key, 'idTokens')], now);
    try {
      const token = await ciIssuers.verify(input.idToken, origins.console, now);
      return { claims: token.claims, token, reason: undefined };
    } catch (error) {
      if (!(error instanceof CiTokenRefused)) throw error;
      if (error.isUnreachable)
        throw new ActionError(
          'NotReady',
          'The hub could not ask the CI for its keys. Try again in a moment.',
          {
            retryAfterSecs: 5,
            cause: error,
          },
        );
      // What nobody has signed may be from anybody.
      if (error.claims === undefined) throw notAccepted();
      return { claims: error.claims, token: undefined, reason: error.message };
    }
  },

  authorize: (_context, signed) => signed,

  async run(context, { claims, token, reason }) {
    const { tx, input, now } = context;
    const publishers = await findPublishers(tx, input.repository, String(claims['iss']));
    const [first] = publishers;
    if (first === undefined) throw notAccepted();
    if (token === undefined) return refuse(context, first.repository_id, claims, reason ?? '');
    const { publisher, different } = nearest(publishers, claims);
    if (different.length > 0)
      return refuse(context, first.repository_id, claims, `${publisher.name}: ${different.join(' ')}`);
    if (await useOnce(tx, token, now)) return issue(context, publisher, claims);
    return refuse(context, first.repository_id, claims, 'The token was used before.');
  },
};

/** The publisher from which the job differs least. */
function nearest(publishers: readonly PublisherRow[], claims: CiClaims) {
  const compared = publishers.map((publisher) => {
    const job = { conditions: publisher.conditions, allowsPullRequests: publisher.allows_pull_requests };
    return { publisher, different: differencesOf(job, claims) };
  });
  return compared.reduce((best, one) => (one.different.length < best.different.length ? one : best));
}

/** Keeps the reason for the owners. */
async function refuse(
  { tx, now, emit }: Context,
  rawRepositoryId: string,
  claims: CiClaims,
  reason: string,
): Promise<Refusal> {
  const job = jobOf(claims);
  await keepRefusal(tx, rawRepositoryId, { job, reason, now });
  emit('repositories_PublishingRefused', {
    repositoryId: ids.repository.of(rawRepositoryId),
    job,
    reason,
  });
  return new Refusal(notAccepted());
}

async function issue(
  { tx, now, emit }: Context,
  publisher: PublisherRow,
  claims: CiClaims,
): Promise<Output<'repositories_ExchangeIdToken'>> {
  const { publisher_id: publisherId, repository_id: rawRepositoryId, user_id: rawUserId, name } = publisher;
  const job = jobOf(claims);
  const expiresAt = new Date(now.getTime() + validForMs);
  await noteUse(tx, publisherId, job, now);
  const bounds = {
    is_read_only: false,
    project_ids: [],
    repository_ids: [rawRepositoryId],
    is_administrator: false,
    verbs: ['publish'] as const,
    expires_at: expiresAt,
    publisher_id: publisherId,
  };
  const secret = await addUserToken(tx, rawUserId, job.slice(0, longestTokenName), bounds, now);
  if (secret === undefined)
    throw new ActionError('Throttled', 'Too many jobs publish at the same time.', { retryAfterSecs: 60 });
  const [userId, tokenId] = [ids.user.of(rawUserId), ids.userTokenId.of(lookupKey(secret))];
  const repositoryId = ids.repository.of(rawRepositoryId);
  emit('repositories_PublisherUsed', { repositoryId, publisherId: ids.publisher.of(publisherId), name, job });
  emit('users_TokenCreated', { userId, tokenId, repositoryId });
  return {
    repositoryId,
    publisher: name,
    tokenId,
    token: ids.userToken.of(secret),
    expiresAt: expiresAt.toISOString(),
  };
}
