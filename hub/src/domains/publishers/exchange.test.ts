import { wellKnownIssuers } from '@corral/contract';
import { expect, onTestFinished, test } from 'vitest';
import { openCiIssuers } from '../../auth/ci/ci-issuers.ts';
import { outgoingRule } from '../../config/outgoing-addresses.ts';
import { openOutgoing } from '../../platform/outgoing/open-outgoing.ts';
import { anonymous, freshExecutor } from '../../../test/fresh-executor.ts';
import { playedCi } from '../../../test/played-ci.ts';
import { ids123, notAccepted, publishingScene } from '../../../test/publishing-scene.ts';
import { auditText } from '../../../test/test-users.ts';

const gitlab = {
  sub: 'project_path:ann/press:ref_type:branch:ref:main',
  repository: undefined,
  repository_id: undefined,
  repository_owner_id: undefined,
  event_name: undefined,
  job_workflow_ref: undefined,
  project_path: 'ann/press',
  project_id: '77',
  namespace_id: '8',
  ref: 'main',
  ref_path: 'refs/heads/main',
  pipeline_source: 'push',
  ci_config_ref_uri: 'gitlab.example/ann/press//.gitlab-ci.yml@refs/heads/main',
};
const ids77 = [
  { claim: 'project_id', expected: '77' },
  { claim: 'namespace_id', expected: '8' },
];
const tags = { claim: 'ref', expected: 'refs/tags/v*' };

/** Kind, conditions beside the ids, claims of the job, and what the owners read where it is refused. */
const matrix = [
  ['GitHub', [], {}, undefined],
  ['GitHub', [], { repository: 'ann/renamed' }, undefined],
  ['GitHub', [], { repository_id: 123 }, undefined],
  ['GitHub', [], { repository_id: '124' }, 'The claim repository_id is 124, not 123.'],
  ['GitHub', [], { repository_id: '1234' }, 'The claim repository_id is 1234, not 123.'],
  ['GitHub', [], { repository_id: ['123'] }, 'The claim repository_id is ["123"], not 123.'],
  ['GitHub', [], { repository_id: undefined }, 'The claim repository_id is nothing, not 123.'],
  ['GitHub', [], { repository_owner_id: '46' }, 'The claim repository_owner_id is 46, not 45.'],
  ['GitHub', [{ claim: 'ref', expected: 'refs/heads/main' }], {}, undefined],
  [
    'GitHub',
    [{ claim: 'ref', expected: 'refs/heads/main' }],
    { ref: 'refs/heads/main2' },
    'The claim ref is refs/heads/main2, not refs/heads/main.',
  ],
  [
    'GitHub',
    [{ claim: 'ref', expected: 'refs/heads/main' }],
    { ref: 'refs/heads/Main' },
    'The claim ref is refs/heads/Main, not refs/heads/main.',
  ],
  ['GitHub', [tags], { ref: 'refs/tags/v1.4' }, undefined],
  ['GitHub', [tags], { ref: 'refs/heads/v1.4' }, 'The claim ref is refs/heads/v1.4, not refs/tags/v*.'],
  ['GitHub', [{ claim: 'environment', expected: 'release' }], {}, undefined],
  [
    'GitHub',
    [{ claim: 'environment', expected: 'release' }],
    { environment: undefined },
    'The claim environment is nothing, not release.',
  ],
  [
    'GitHub',
    [{ claim: 'job_workflow_ref', expected: 'ann/press/.github/workflows/release.yml@refs/heads/main' }],
    {},
    undefined,
  ],
  [
    'GitHub',
    [{ claim: 'job_workflow_ref', expected: 'ann/press/.github/workflows/release.yml@refs/heads/main' }],
    { job_workflow_ref: 'eve/x/.github/workflows/release.yml@refs/heads/main' },
    'The claim job_workflow_ref is eve/x/.github/workflows/release.yml@refs/heads/main, not ann/press/.github/workflows/release.yml@refs/heads/main.',
  ],
  ['Forgejo', [], {}, undefined],
  ['Forgejo', [], { repository_id: '124' }, 'The claim repository_id is 124, not 123.'],
  ['GitLab', [], gitlab, undefined],
  ['GitLab', [], { ...gitlab, project_path: 'ann/renamed' }, undefined],
  ['GitLab', [], { ...gitlab, project_id: '78' }, 'The claim project_id is 78, not 77.'],
  ['GitLab', [], { ...gitlab, namespace_id: '9' }, 'The claim namespace_id is 9, not 8.'],
  ['GitLab', [{ claim: 'ref_path', expected: 'refs/heads/*' }], gitlab, undefined],
  ['GitLab', [{ claim: 'ci_config_ref_uri', expected: gitlab.ci_config_ref_uri }], gitlab, undefined],
  [
    'GitLab',
    [{ claim: 'ci_config_ref_uri', expected: gitlab.ci_config_ref_uri }],
    { ...gitlab, ci_config_ref_uri: 'x' },
    `The claim ci_config_ref_uri is x, not ${gitlab.ci_config_ref_uri}.`,
  ],
] as const;

test.each(matrix)('a job of %s, with %j, is compared: %j', async (kind, more, claims, reason) => {
  const scene = await publishingScene();
  await scene.add({ kind, conditions: [...(kind === 'GitLab' ? ids77 : ids123), ...more] });
  if (reason !== undefined) expect(await scene.refusedFor(claims)).toBe(`releases: ${reason}`);
  else expect(await scene.exchange(claims)).toMatchObject({ publisher: 'releases' });
});

test.each([
  [{ event_name: 'pull_request' }],
  [{ event_name: 'pull_request_target' }],
  [{ ref: 'refs/pull/7/merge' }],
  [{ event_name: undefined, sub: 'repo:ann/press:pull_request' }],
  [{ event_name: undefined, pipeline_source: 'merge_request_event' }],
  [{ event_name: undefined, pipeline_source: 'external_pull_request_event' }],
  [{ event_name: undefined, pipeline_source: 'parent_pipeline' }],
  [{ event_name: undefined, ref_path: 'refs/merge-requests/7/head' }],
])('a job of what somebody proposes is refused unless that is allowed: %j', async (claims) => {
  const scene = await publishingScene();
  await scene.add();
  expect(await scene.refusedFor(claims)).toBe('releases: The job is of a pull request or merge request.');
  await scene.add({ name: 'trials', allowsPullRequests: true });
  expect(await scene.exchange(claims)).toMatchObject({ publisher: 'trials' });
});

test('a repository of the CI with the old name and another id publishes nothing', async () => {
  const scene = await publishingScene();
  await scene.add();
  await scene.exchange();
  const resurrected = { repository: 'ann/press', repository_id: '999', repository_owner_id: '45' };
  expect(await scene.refusedFor(resurrected)).toContain('The claim repository_id is 999, not 123.');
});

test('each token is for one use, on two hubs at the same time', async () => {
  const { hub, other, ci, add, owner, repositoryId } = await publishingScene();
  await add();
  const input = { repository: 'firmware', idToken: await ci.sign() };
  const tries = Array.from({ length: 10 }, (_, index) =>
    (index % 2 === 0 ? hub : other).as(anonymous, 'repositories_ExchangeIdToken', input).then(
      () => 'exchanged',
      (error: Error) => error.message,
    ),
  );
  const outcomes = await Promise.all(tries);
  expect(outcomes.filter((outcome) => outcome === 'exchanged')).toHaveLength(1);
  expect(new Set(outcomes)).toEqual(new Set(['exchanged', notAccepted.message]));
  const { refusals } = await hub.as(owner, 'repositories_GetPublishers', { repositoryId });
  expect(refusals[0]).toMatchObject({
    job: 'ann/press at refs/heads/main',
    reason: 'The token was used before.',
  });
  // A new token of the same job is another one.
  expect(
    await other.as(anonymous, 'repositories_ExchangeIdToken', { ...input, idToken: await ci.sign() }),
  ).toMatchObject({ publisher: 'releases' });
});

test('used tokens are forgotten once they have expired', async () => {
  const { hub, add, exchange } = await publishingScene();
  await add();
  for (let count = 0; count < 3; count += 1) await exchange();
  hub.advance(3_600);
  await exchange();
  expect(await hub.database.db.selectFrom('used_id_tokens').selectAll().execute()).toHaveLength(1);
});

test('a token for another audience, or from another time, tells the owners why, and outsiders nothing', async () => {
  const { hub, add, refusedFor, owner, repositoryId } = await publishingScene();
  await add();
  expect(await refusedFor({ aud: 'https://other.test' })).toBe(
    'The token is for https://other.test, not for http://localhost:8080.',
  );
  expect(await refusedFor({ exp: Math.floor(hub.now().getTime() / 1000) - 100 })).toBe(
    'The token has expired.',
  );
  const text = await auditText(hub);
  expect(text).toContain('repositories_PublishingRefused');
  expect(text).not.toContain('eyJ');
  expect(text).not.toContain('has expired');
  for (let count = 0; count < 12; count += 1)
    await refusedFor({ ref: `refs/heads/${count}`, repository_id: '1' });
  const { refusals } = await hub.as(owner, 'repositories_GetPublishers', { repositoryId });
  expect(refusals).toHaveLength(10);
});

test('what no issuer has signed, and what is for no publisher, leaves nothing with the owners', async () => {
  const { hub, ci, add, allowed, exchange, owner, repositoryId } = await publishingScene();
  const stranger = await playedCi(hub.now, 'http://localhost:8080');
  const ask = async (repository: string, idToken: string) =>
    hub.refusal(anonymous, 'repositories_ExchangeIdToken', { repository, idToken });
  expect(await ask('firmware', await ci.sign())).toEqual(notAccepted);
  await add();
  expect(await ask('firmware', ci.unsigned())).toEqual(notAccepted);
  expect(await ask('firmware', await stranger.sign())).toEqual(notAccepted);
  expect(await ask('nowhere', await ci.sign())).toEqual(notAccepted);
  expect(stranger.requests.size).toBe(0);
  // An issuer that is allowed, but not named by a publisher here.
  allowed.push(stranger.issuer);
  expect(await ask('firmware', await stranger.sign())).toEqual(notAccepted);
  const { refusals } = await hub.as(owner, 'repositories_GetPublishers', { repositoryId });
  expect(refusals).toEqual([]);
  // One that the administrator takes back publishes no longer.
  allowed.length = 0;
  await expect(exchange()).rejects.toMatchObject(notAccepted);
});

test('a job of a project that no publisher names leaves nothing, whatever else is wrong with it', async () => {
  const { hub, add, refusedFor } = await publishingScene();
  await add();
  const emitted = hub.emittedEvents.length;
  const foreign = { repository_id: '999', repository_owner_id: '998' };
  const secs = Math.floor(hub.now().getTime() / 1000);
  for (const more of [{}, { exp: secs - 100 }, { aud: 'https://other.test' }, { project_id: '123' }])
    expect(await refusedFor({ ...foreign, ...more })).toBeUndefined();
  expect(hub.emittedEvents).toHaveLength(emitted);
  expect(await auditText(hub)).not.toContain('repositories_PublishingRefused');
});

test('of a job that is refused over and over, ten a minute are recorded', async () => {
  const { hub, ci, other, add } = await publishingScene();
  await add();
  const input = { repository: 'firmware', idToken: await ci.sign({ repository_id: '9' }) };
  const recorded = () =>
    [...hub.emittedEvents, ...other.emittedEvents].filter(
      ({ name }) => name === 'repositories_PublishingRefused',
    );
  for (let count = 0; count < 15; count += 1)
    for (const node of [hub, other])
      expect(await node.refusal(anonymous, 'repositories_ExchangeIdToken', input)).toEqual(notAccepted);
  expect(recorded()).toHaveLength(10);
  hub.advance(61);
  await hub.refusal(anonymous, 'repositories_ExchangeIdToken', input);
  expect(recorded()).toHaveLength(11);
});

test('a repository that is named like the id of another is not meant by that id', async () => {
  const { hub, ci, add, repositoryId } = await publishingScene();
  const eve = await hub.user('eve@example.com');
  const made = await hub.as(eve, 'repositories_CreateRepository', { name: repositoryId });
  if (made.result !== 'Created') throw new Error('There is one already.');
  const publisher = { name: 'evil', kind: 'GitHub' as const, issuer: ci.issuer, conditions: ids123 };
  await hub.as(eve, 'repositories_AddPublisher', { repositoryId: made.repositoryId, ...publisher });
  hub.advance(1);
  await add();
  const input = { repository: repositoryId, idToken: await ci.sign() };
  expect(await hub.as(anonymous, 'repositories_ExchangeIdToken', input)).toMatchObject({
    repositoryId,
    publisher: 'releases',
  });
});

test('a token that was found valid by a slow call is not exchanged once it has expired, nor again', async () => {
  const { hub, ci, add, allowed, owner, repositoryId } = await publishingScene();
  await add();
  const outgoing = openOutgoing({ rule: outgoingRule([{ place: '127.0.0.1', port: undefined }]) });
  onTestFinished(() => outgoing.close());
  const real = openCiIssuers({ list: () => allowed, fetch: outgoing.fetch });
  const slow = await freshExecutor({
    database: hub.database,
    ciIssuers: {
      list: real.list,
      async verify(...given) {
        const token = await real.verify(...given);
        slow.advance(1);
        return token;
      },
    },
  });
  const input = { repository: 'firmware', idToken: await ci.sign() };
  await hub.as(anonymous, 'repositories_ExchangeIdToken', input);
  hub.advance(365);
  // Forgets the tokens that can no longer come again.
  await hub.as(anonymous, 'repositories_ExchangeIdToken', { ...input, idToken: await ci.sign() });
  slow.advance(359.5);
  expect(await slow.refusal(anonymous, 'repositories_ExchangeIdToken', input)).toEqual(notAccepted);
  const { refusals } = await hub.as(owner, 'repositories_GetPublishers', { repositoryId });
  expect(refusals[0]?.reason).toBe('The token has expired.');
  expect(await hub.database.db.selectFrom('used_id_tokens').selectAll().execute()).toHaveLength(2);
});

test('an issuer that is down is no reason to give up', async () => {
  const { hub, ci, add, exchange } = await publishingScene();
  await add();
  ci.isDown = true;
  for (let count = 0; count < 3; count += 1)
    await expect(exchange()).rejects.toMatchObject({ kind: 'NotReady', retryAfterSecs: 5 });
  // Jobs that try again do not add to its load.
  expect(ci.requests.get('/.well-known/openid-configuration')).toBe(1);
  ci.isDown = false;
  hub.advance(5);
  await exchange();
});

test('a network that asks too often waits', async () => {
  const { hub, add } = await publishingScene();
  await add();
  const ask = () =>
    hub.refusal(anonymous, 'repositories_ExchangeIdToken', { repository: 'firmware', idToken: 'x' });
  for (let count = 0; count < 60; count += 1) expect(await ask()).toEqual(notAccepted);
  expect(await ask()).toMatchObject({ kind: 'Throttled' });
  hub.advance(61);
  expect(await ask()).toEqual(notAccepted);
});

test('a network that sends garbage does not keep the jobs of others from publishing', async () => {
  const { hub, ci, add } = await publishingScene();
  await add();
  const from = (ip: string, idToken: string) =>
    hub.as(anonymous, 'repositories_ExchangeIdToken', { repository: 'firmware', idToken }, { ip });
  for (let count = 0; count < 601; count += 1) await from('198.51.100.7', 'x').catch(() => undefined);
  expect(await from('203.0.113.9', await ci.sign())).toMatchObject({ publisher: 'releases' });
});

test.each([
  [{ issuer: 'https://elsewhere.test' }, 'does not allow this issuer'],
  [{ conditions: [] }, 'The claim repository_id must be given'],
  [{ conditions: [ids123[0]!] }, 'The claim repository_owner_id must be given'],
  [{ conditions: [{ claim: 'repository_id', expected: 'ann/press' }, ids123[1]!] }, 'as a number'],
  [{ kind: 'GitLab' as const }, 'The claim project_id must be given'],
  [{ conditions: [...ids123, ids123[0]!] }, 'given once'],
  [{ conditions: [...ids123, { claim: 'ref', expected: '' }] }, '1 to 300 characters'],
  [{ conditions: [...ids123, { claim: 'ref', expected: '*' }] }, 'A * may only end a ref'],
  [{ conditions: [...ids123, { claim: 'ref', expected: 'refs/*' }] }, 'A * may only end a ref'],
  [{ conditions: [...ids123, { claim: 'ref', expected: 'refs/heads/*-x' }] }, 'A * may only end a ref'],
  [{ conditions: [...ids123, { claim: 'environment', expected: 'rel*' }] }, 'A * may only end a ref'],
  [
    { conditions: [...ids123, { claim: 'job_workflow_ref', expected: 'ann/press/*' }] },
    'A * may only end a ref',
  ],
  [{ conditions: [...ids123, { claim: 'aud', expected: 'x' }] }, 'itself checks the claim aud'],
  [
    { kind: 'Other' as const, conditions: [{ claim: 'sub', expected: 'x' }] },
    'only the tokens of your own jobs have',
  ],
  [{ kind: 'Other' as const, conditions: [] }, 'only the tokens of your own jobs have'],
  [{ name: ' ' }, 'must not be empty'],
])('conditions that could fit the jobs of others are refused: %j', async (more, sentence) => {
  const { add } = await publishingScene();
  await expect(add(more)).rejects.toThrow(sentence);
});

test('the issuer of a public CI has the claims of that CI', async () => {
  const { add, allowed } = await publishingScene();
  allowed.push(wellKnownIssuers.github);
  const weak = { issuer: wellKnownIssuers.github, kind: 'Other' as const };
  await expect(add({ ...weak, conditions: [{ claim: 'environment', expected: 'release' }] })).rejects.toThrow(
    'are those of GitHub',
  );
});
