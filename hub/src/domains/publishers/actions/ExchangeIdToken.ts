import { ActionError, ids, type Output } from '@corral/contract';
import { networkOf } from '../../../auth/network.ts';
import { countsOf } from '../../../auth/request-limits.ts';
import { lookupKey } from '../../../auth/secret.ts';
import type { CiToken } from '../../../auth/ci/ci-issuers.ts';
import { CiTokenRefused, type CiClaims } from '../../../auth/ci/CiTokenRefused.ts';
import { differencesOf, isFulfilled, jobOf } from '../../../auth/ci/publisher-match.ts';
import { Refusal } from '../../../calls/failures.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { instanceKey } from '../../instance/index.ts';
import { addUserToken, countRequest, countWithinLimits, mustHaveNoToken } from '../../users/index.ts';
import { immutableIds } from '../policy/conditions.ts';
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
    'The hub does not accept this ID token for this repository: each ID token works once, for the jobs that the repository allows. Its owners see in its settings why those of their project were refused.',
  );
}

/** Exchanges the ID token of a CI job for a token of the service account of the publisher that the job is. */
export const ExchangeIdToken: Handler<'repositories_ExchangeIdToken', Signed, Signed> = {
  async prepare(context) {
    const { tx, actor, input, origin, now, origins, ciIssuers } = context;
    mustHaveNoToken(actor);
    const key = await instanceKey(context, 'request-limits');
    await countRequest(tx, countsOf(key, 'idTokensOfNetwork', networkOf(origin.ip ?? '')), now);
    // Only what an issuer has signed counts for the instance: one network must not use up what all have.
    const countSigned = () => countRequest(tx, countsOf(key, 'idTokens'), now);
    try {
      const token = await ciIssuers.verify(input.idToken, origins.console, now);
      await countSigned();
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
      await countSigned();
      return { claims: error.claims, token: undefined, reason: error.message };
    }
  },

  authorize: (_context, signed) => signed,

  async run(context, { claims, token, reason }) {
    const { tx, input, now } = context;
    const publishers = await findPublishers(tx, input.repository, String(claims['iss']));
    // Whoever has a project at the same CI must fill neither the log nor the list of the owners.
    if (!publishers.some((publisher) => isOfSamePlace(publisher, claims))) throw notAccepted();
    if (token === undefined) return refuse(context, publishers, claims, reason ?? '');
    if (token.expiresAt <= now) return refuse(context, publishers, claims, 'The token has expired.');
    const { publisher, different } = nearest(publishers, claims);
    if (different.length > 0)
      return refuse(context, publishers, claims, `${publisher.name}: ${different.join(' ')}`);
    if (await useOnce(tx, token, now)) return issue(context, publisher, claims);
    return refuse(context, publishers, claims, 'The token was used before.');
  },
};

/** Whether the job fits at least one of the ids that a publisher of its kind needs, or, of another kind, one of its claims. */
function isOfSamePlace({ kind, conditions }: PublisherRow, claims: CiClaims): boolean {
  const needed: readonly string[] = immutableIds[kind];
  const compared =
    needed.length === 0 ? conditions : conditions.filter(({ claim }) => needed.includes(claim));
  return compared.some((condition) => isFulfilled(condition, claims));
}

/** The publisher from which the job differs least. */
function nearest(publishers: readonly PublisherRow[], claims: CiClaims) {
  const compared = publishers.map((publisher) => {
    const job = {
      conditions: publisher.conditions,
      allowsPullRequests: publisher.allows_pull_requests,
    };
    return { publisher, different: differencesOf(job, claims) };
  });
  return compared.reduce((best, one) => (one.different.length < best.different.length ? one : best));
}

/** Keeps the reason for the owners, of the first ones in a minute. */
async function refuse(
  context: Context,
  [first]: readonly PublisherRow[],
  claims: CiClaims,
  reason: string,
): Promise<Refusal> {
  const { tx, now, emit } = context;
  if (first === undefined) throw notAccepted();
  const { repository_id: rawRepositoryId, issuer } = first;
  const counts = countsOf(
    await instanceKey(context, 'request-limits'),
    'refusedIdTokens',
    rawRepositoryId,
    issuer,
  );
  if (!(await countWithinLimits(tx, counts, now))) throw notAccepted();
  const job = jobOf(claims);
  await keepRefusal(tx, rawRepositoryId, { job, reason, now });
  // Members read the log, the reasons are for owners.
  emit('repositories_PublishingRefused', {
    repositoryId: ids.repository.of(rawRepositoryId),
    job,
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
  if (!(await noteUse(tx, publisherId, job, now))) throw notAccepted();
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
  emit('repositories_PublisherUsed', {
    repositoryId,
    publisherId: ids.publisher.of(publisherId),
    name,
    job,
  });
  emit('users_TokenCreated', { userId, tokenId, repositoryId });
  return {
    repositoryId,
    publisher: name,
    tokenId,
    token: ids.userToken.of(secret),
    expiresAt: expiresAt.toISOString(),
  };
}
