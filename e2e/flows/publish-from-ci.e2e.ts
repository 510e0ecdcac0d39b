import type { Id } from '@corral/contract';
import { cliLauncher, expect, test as base } from '../fixtures/command-line.ts';
import { playedCi, type PlayedCi } from '../fixtures/played-ci.ts';
import { runProgram, type Outcome } from '../fixtures/program.ts';
import { writePublication, type Publication } from '../fixtures/publication.ts';

interface Job {
  readonly ci: PlayedCi;
  readonly publication: Publication;
  readonly repositoryId: Id<'repository'>;
  readonly publisherId: Id<'publisher'>;
  /** Runs `corral publish` in a job with these variables, and without a token. */
  publish(variables: Record<string, string>, manifest?: string, ...more: string[]): Promise<Outcome>;
}

/** A repository to which the jobs of a CI may publish. */
const test = base.extend<{ job: Job }>({
  job: async ({ hub, operator, folder }, use) => {
    const ci = await playedCi();
    const publication = await writePublication(folder);
    const setIssuers = (value: string | null) =>
      operator.invoke('instance_SetInstanceSettingRaw', { key: 'ciIssuers', value });
    await setIssuers(ci.issuer);
    const created = await operator.invoke('repositories_CreateRepository', { name: publication.repository });
    if (created.result !== 'Created') throw new Error('There is one already.');
    const { repositoryId } = created;
    const { publisherId } = await operator.invoke('repositories_AddPublisher', {
      repositoryId,
      name: 'releases',
      kind: 'GitHub',
      issuer: ci.issuer,
      conditions: [
        { claim: 'repository_id', expected: '123' },
        { claim: 'repository_owner_id', expected: '45' },
      ],
    });
    const publish: Job['publish'] = (variables, manifest = publication.manifest, ...more) =>
      runProgram(process.execPath, [cliLauncher, 'publish', manifest, ...more], {
        env: { CORRAL_URL: hub.url, HOME: folder, ...variables },
      });
    await use({ ci, publication, repositoryId, publisherId, publish });
    await setIssuers(null);
    ci.close();
  },
});

test('a job of GitHub or Forgejo publishes without a stored secret, and again nothing', async ({ job }) => {
  const { ci, publication, publish } = job;
  const first = await publish({ GITHUB_ACTIONS: 'true', ...ci.variables });
  expect(first).toMatchObject({
    code: 0,
    stderr: `Publishing to ${publication.repository} as releases, by the ID token of this job.\n`,
  });
  expect(first.stdout).toContain('press is published as pkg_v_');
  const again = await publish(ci.variables);
  expect(again.code).toBe(0);
  expect(again.stdout).toContain('is published already');
});

test('a job of GitLab publishes by its id_tokens, once with each', async ({ job, hub, operator, folder }) => {
  const { ci, publish, publication, repositoryId } = job;
  const variables = { GITLAB_CI: 'true', CORRAL_ID_TOKEN: ci.sign(hub.url) };
  expect(await publish(variables)).toMatchObject({ code: 0 });
  const next = await writePublication(folder, { version: '1.5.0', repository: publication.repository });
  const replayed = await publish(variables, next.manifest);
  expect(replayed).toMatchObject({ code: 3, stdout: '' });
  expect(replayed.stderr).toBe(
    `The hub does not accept this ID token for this repository: each ID token works once, for the jobs that the repository allows. Its owners see in its settings why those of their project were refused. Its audience must be the public address of the hub: CORRAL_URL is ${hub.url}.\n`,
  );
  const { refusals } = await operator.invoke('repositories_GetPublishers', { repositoryId });
  expect(refusals[0]).toMatchObject({
    job: 'ann/press at refs/heads/main',
    reason: 'The token was used before.',
  });
  expect(await publish({ CORRAL_ID_TOKEN: ci.sign(hub.url) }, next.manifest)).toMatchObject({ code: 0 });
});

test('a job that got no ID token says which permission it needs', async ({ job, hub }) => {
  const { publish, ci } = job;
  expect((await publish({ GITHUB_ACTIONS: 'true' })).stderr).toBe(
    'There is no token: give the job the permission "id-token: write" (in Forgejo "enable-openid-connect: true"), or set CORRAL_TOKEN.\n',
  );
  expect((await publish({ GITLAB_CI: 'true' })).stderr).toContain(
    `id_tokens with CORRAL_ID_TOKEN and the aud ${hub.url}`,
  );
  expect((await publish({})).stderr).toContain('There is no token for');
  expect((await publish({ ...ci.variables, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'wrong' })).stderr).toBe(
    'The CI gave no ID token for this job: try again.\n',
  );
});

test('a job installs nothing by its ID token, and says so before anything is sent', async ({ job }) => {
  const { ci, publish } = job;
  const asked = await publish(ci.variables, undefined, '--install', '--on', 'all', '--yes');
  expect(asked).toMatchObject({ code: 3, stdout: '' });
  expect(asked.stderr).toBe(
    'By its ID token a job of a CI only publishes: leave --install out, or set CORRAL_TOKEN. Nothing was sent.\n',
  );
  expect(await publish(ci.variables)).toMatchObject({ code: 0 });
});

test('a publisher that is removed ends the token of a job at once', async ({ job, hub, operator }) => {
  const { ci, publication, publisherId } = job;
  const call = async (name: string, input: object, token?: string) =>
    fetch(`${hub.url}/api/v1/actions/invoke/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(input),
    });
  const exchanged = await call('repositories_ExchangeIdToken', {
    repository: publication.repository,
    idToken: ci.sign(hub.url),
  });
  const { token } = (await exchanged.json()) as { token: string };
  const read = () => call('actor_GetActor', {}, token);
  expect((await read()).status).toBe(200);
  await operator.invoke('repositories_DeletePublisher', { publisherId });
  expect((await read()).status).toBe(401);
});
