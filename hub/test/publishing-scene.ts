import type { Actor, CallInput, Id, Output } from '@corral/contract';
import { onTestFinished } from 'vitest';
import { openCiIssuers } from '../src/auth/ci/ci-issuers.ts';
import { outgoingRule } from '../src/config/outgoing-addresses.ts';
import { openOutgoing } from '../src/platform/outgoing/open-outgoing.ts';
import { anonymous, freshExecutor, type FreshExecutor } from './fresh-executor.ts';
import { playedCi, type PlayedCi } from './played-ci.ts';

/** What a hub on loopback expects. */
const audience = 'http://localhost:8080';

/** A repository to which the jobs of a CI publish. */
export interface PublishingScene {
  readonly hub: FreshExecutor;
  /** A second node on the same database. */
  readonly other: FreshExecutor;
  readonly ci: PlayedCi;
  /** The issuers that are allowed. */
  readonly allowed: string[];
  readonly owner: Extract<Actor, { actor: 'User' }>;
  readonly repositoryId: Id<'repository'>;
  /** Adds a publisher, by default any job of the repository 123. */
  add(more?: Partial<CallInput<'repositories_AddPublisher'>>): Promise<Id<'publisher'>>;
  /** Exchanges a token with these claims. */
  exchange(claims?: Record<string, unknown>): Promise<Output<'repositories_ExchangeIdToken'>>;
  /** Exchanges a token that must be refused, and returns what the owners see of it. */
  refusedFor(claims?: Record<string, unknown>): Promise<string | undefined>;
}

/** The conditions that a publisher of GitHub needs. */
export const ids123 = [
  { claim: 'repository_id', expected: '123' },
  { claim: 'repository_owner_id', expected: '45' },
];

/** What outsiders are told, whatever the reason. */
export const notAccepted = {
  kind: 'Forbidden',
  message:
    'The hub does not accept this ID token for this repository: each ID token works once, for the jobs that the repository allows. Its owners see in its settings why those of their project were refused.',
};

/** Sets the scene for the length of a test. */
export async function publishingScene(): Promise<PublishingScene> {
  const allowed: string[] = [];
  const outgoing = openOutgoing({ rule: outgoingRule([{ place: '127.0.0.1', port: undefined }]) });
  const issuers = () => openCiIssuers({ list: () => allowed, fetch: outgoing.fetch });
  const hub = await freshExecutor({ ciIssuers: issuers() });
  const other = await freshExecutor({ database: hub.database, ciIssuers: issuers() });
  onTestFinished(async () => {
    await hub[Symbol.asyncDispose]();
    await outgoing.close();
  });
  const ci = await playedCi(hub.now, audience);
  allowed.push(ci.issuer);
  const owner = await hub.user('ann@example.com');
  const created = await hub.as(owner, 'repositories_CreateRepository', { name: 'firmware' });
  if (created.result !== 'Created') throw new Error('There is one already.');
  const { repositoryId } = created;
  const exchange: PublishingScene['exchange'] = async (claims) =>
    hub.as(anonymous, 'repositories_ExchangeIdToken', {
      repository: 'firmware',
      idToken: await ci.sign(claims),
    });
  return {
    hub,
    other,
    ci,
    allowed,
    owner,
    repositoryId,
    exchange,
    async add(more = {}) {
      const publisher = { name: 'releases', kind: 'GitHub' as const, issuer: ci.issuer, conditions: ids123 };
      const input = { repositoryId, ...publisher, ...more };
      return (await hub.as(owner, 'repositories_AddPublisher', input)).publisherId;
    },
    async refusedFor(claims) {
      const error = await exchange(claims).catch((refusal: unknown) => refusal);
      const { kind, message } = error as typeof notAccepted;
      if (kind !== notAccepted.kind || message !== notAccepted.message)
        throw new Error(`It was not refused calmly: ${JSON.stringify(error)} ${String(error)}`);
      const { refusals } = await hub.as(owner, 'repositories_GetPublishers', { repositoryId });
      return refusals[0]?.reason;
    },
  };
}
