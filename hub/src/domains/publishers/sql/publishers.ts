import { ids, type Output } from '@corral/contract';
import { sql } from 'kysely';
import type { CiToken } from '../../../auth/ci/ci-issuers.ts';
import type { Condition } from '../../../auth/ci/publisher-match.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';

/** A publisher, by raw ids. */
export interface PublisherRow {
  readonly publisher_id: string;
  readonly repository_id: string;
  /** The service account that it publishes as. */
  readonly user_id: string;
  readonly name: string;
  readonly kind: Listed['kind'];
  readonly issuer: string;
  readonly conditions: Condition[];
  readonly allows_pull_requests: boolean;
}

type Answer = Output<'repositories_GetPublishers'>;
type Listed = Answer['publishers'][number];

interface ListedRow extends Omit<PublisherRow, 'repository_id' | 'user_id'> {
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly last_used_by: string | null;
}

/** The publishers of a repository, by name. */
export async function listPublishers(tx: Database, repositoryId: string): Promise<Listed[]> {
  const rows = (await tx
    .selectFrom('publishers')
    .select(['publisher_id', 'name', 'kind', 'issuer', 'conditions', 'allows_pull_requests'])
    .select(['created_at', 'last_used_at', 'last_used_by'])
    .where('repository_id', '=', repositoryId)
    .orderBy('name')
    .orderBy('publisher_id')
    .execute()) as ListedRow[];
  return rows.map((row) => ({
    publisherId: ids.publisher.of(row.publisher_id),
    name: row.name,
    kind: row.kind,
    issuer: row.issuer,
    conditions: row.conditions,
    allowsPullRequests: row.allows_pull_requests,
    createdAt: row.created_at,
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    ...(row.last_used_by === null ? {} : { lastUsedBy: row.last_used_by }),
  }));
}

/** The publishers of an issuer in a repository by its id or name. What looks like an id is one: a repository may be named like the id of another. */
export async function findPublishers(
  tx: Database,
  repository: string,
  issuer: string,
): Promise<PublisherRow[]> {
  const isId = ids.repository.schema.safeParse(repository).success;
  const isMeant = isId
    ? sql`r.repository_id = ${ids.repository.raw(repository as `repo_${string}`)}`
    : sql`r.name = ${repository}`;
  const { rows } = await sql<PublisherRow>`
    select p.publisher_id, p.repository_id, p.user_id, p.name, p.kind, p.issuer, p.conditions, p.allows_pull_requests
    from publishers p join repositories r using (repository_id)
    where ${isMeant} and p.issuer = ${issuer} order by p.created_at, p.publisher_id`.execute(tx);
  return rows;
}

/** A call that found the token valid may be slower than one that forgets the expired. */
const slowestCallMs = 10 * 60_000;

/** Notes that a token was used; false if it was used before, on whatever hub. Forgets those that have expired. */
export async function useOnce(tx: Database, { replayKey, expiresAt }: CiToken, now: Date): Promise<boolean> {
  await sql`delete from used_id_tokens where replay_key = any(array(
    select replay_key from used_id_tokens where expires_at <= ${now} limit 100 for update skip locked))`.execute(
    tx,
  );
  const { rows } = await sql`
    insert into used_id_tokens (replay_key, expires_at)
    values (${replayKey}, ${new Date(expiresAt.getTime() + slowestCallMs)})
    on conflict do nothing returning 1`.execute(tx);
  return rows.length > 0;
}

/** Keeps why a token was refused for the owners of a repository, and only the last ones. */
export async function keepRefusal(
  tx: Database,
  repositoryId: string,
  { job, reason, now }: { readonly job: string; readonly reason: string; readonly now: Date },
): Promise<void> {
  await sql`insert into publishing_refusals (repository_id, refused_at, job, reason)
    values (${repositoryId}, ${now}, ${job}, ${reason})`.execute(tx);
  await sql`delete from publishing_refusals where refusal_number = any(array(
    select refusal_number from publishing_refusals where repository_id = ${repositoryId}
    order by refusal_number desc offset ${amounts.publishingRefusals.max} for update skip locked))`.execute(
    tx,
  );
}

/** The refusals that are kept, newest first. */
export async function readRefusals(tx: Database, repositoryId: string): Promise<Answer['refusals']> {
  const { rows } = await sql<Answer['refusals'][number]>`
    select refused_at as at, job, reason from publishing_refusals where repository_id = ${repositoryId}
    order by refusal_number desc limit ${amounts.publishingRefusals.max}`.execute(tx);
  return rows;
}

/** Notes that a publisher was used, and forgets those of its tokens that have expired: each use leaves one. False if it was deleted; until the transaction ends, it is not. */
export async function noteUse(tx: Database, publisherId: string, job: string, now: Date): Promise<boolean> {
  const { rows } = await sql`update publishers set last_used_at = ${now}, last_used_by = ${job}
    where publisher_id = ${publisherId} returning 1`.execute(tx);
  await sql`delete from user_tokens where publisher_id = ${publisherId} and expires_at <= ${now}`.execute(tx);
  return rows.length > 0;
}
