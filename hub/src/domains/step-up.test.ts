import { ActionError, type ActionName, actions, type CallInput, verbOf } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anonymous, freshExecutor, type FreshExecutor } from '../../test/fresh-executor.ts';
import {
  byToken,
  seedDevice,
  seedMember,
  seedProject,
  type SeededProject,
  type Somebody,
} from '../../test/seed.ts';
import { seedCertificateAuthority } from '../../test/seed-certificate-authority.ts';
import { seedTerminal } from '../../test/seed-terminal.ts';
import { seedRepository } from '../../test/seed-repository.ts';
import { commandsWithoutProof } from '../../test/commands-without-proof.ts';
import { sampleInput, type NamedThings } from '../../test/sample-inputs.ts';
import { validPassword } from '../../test/test-users.ts';

let hub: FreshExecutor;
let admin: Somebody;
let people = 0;
beforeAll(async () => {
  hub = await freshExecutor();
  admin = await hub.user('admin@example.org', { isAdmin: true });
});
afterAll(() => hub[Symbol.asyncDispose]());

/** A command for somebody who has just proved who it is, made anew for each call. */
interface Row {
  readonly by: Somebody;
  readonly input: unknown;
}
type Make = () => Promise<Row>;

const somebody = () => hub.user(`person-${(people += 1)}@example.org`, { password: validPassword });
const byAdmin = async (input: unknown): Promise<Row> => ({ by: admin, input });
const ofOwn =
  (input: (owner: Somebody) => unknown): Make =>
  async () => {
    const by = await somebody();
    return { by, input: input(by) };
  };
const aboutAnother = (more: object) => async () => byAdmin({ userId: (await somebody()).userId, ...more });
const ofRepository = (name: ActionName) => async () => {
  const { owner, repositoryId } = await seedRepository(hub);
  return {
    by: owner,
    input: sampleInput(name, { repository: repositoryId } as unknown as NamedThings, hub.now()),
  };
};

async function deletionOf(devices: number, project: SeededProject): Promise<CallInput<'fleet_ApplyChange'>> {
  const { projectId, owner } = project;
  const deviceIds = await Promise.all(
    Array.from({ length: devices }, async () => (await seedDevice(hub, project)).deviceId),
  );
  const input = { projectId, deviceIds, change: { kind: 'Delete' as const } };
  const { previewHash } = await hub.as(owner, 'fleet_PreviewChange', input);
  return { ...input, previewHash };
}

async function waitingLogin(more: object): Promise<unknown> {
  const asked = { name: 'corral on laptop', ...more };
  const { userCode } = await hub.as(anonymous, 'users_RequestLogin', asked, {
    ip: `198.51.100.${(people += 1)}`,
  });
  return { userCode, isApproved: true };
}

const firstPassword: Make = async () => {
  const by = await hub.user(`person-${(people += 1)}@example.org`);
  return { by, input: { userId: by.userId, password: 'another harbour lantern 8' } };
};
const newOwner: Make = async () => {
  const project = await seedProject(hub);
  const { userId } = await seedMember(hub, project);
  return { by: project.owner, input: { projectId: project.projectId, userId, isOwner: true } };
};
const addedOwner: Make = async () => {
  const { projectId } = await hub.as(admin, 'projects_CreateProject', {
    name: 'Plant',
  });
  return byAdmin({ projectId, userId: (await somebody()).userId, isOwner: true });
};
const newPublisher: Make = async () => {
  const { owner, repositoryId } = await seedRepository(hub);
  const conditions = [
    { claim: 'repository_id', expected: '1' },
    { claim: 'repository_owner_id', expected: '2' },
  ];
  const input = {
    repositoryId,
    name: 'ci',
    kind: 'GitHub',
    issuer: 'https://idp.example',
    conditions,
  };
  return { by: owner, input };
};

/** Every command that takes a proof of the last ten minutes, and how the refusal begins that follows the proof, where one does. */
const rows: readonly (readonly [what: string, name: ActionName, make: Make, refusal?: string])[] = [
  ['administrator rights', 'users_SetUserIsAdmin', aboutAnother({ isAdmin: true })],
  [
    'a new administrator',
    'users_CreateUser',
    () => byAdmin({ email: `a-${(people += 1)}@example.org`, isAdmin: true }),
  ],
  ['deletion of a user', 'users_DeleteUser', aboutAnother({})],
  ['a full token', 'users_CreateUserToken', ofOwn(({ userId }) => ({ userId }))],
  [
    'a token of an administrator',
    'users_CreateUserToken',
    () => byAdmin({ userId: admin.userId, administrator: true }),
  ],
  [
    'a sign-in of the command line',
    'users_DecideLogin',
    async () => ({ by: await somebody(), input: await waitingLogin({}) }),
  ],
  [
    'a token of an administrator that only reads',
    'users_CreateUserToken',
    () => byAdmin({ userId: admin.userId, verbs: ['read'], administrator: true }),
  ],
  [
    'a sign-in as administrator that only reads',
    'users_DecideLogin',
    async () => byAdmin(await waitingLogin({ access: 'read', administrator: true })),
  ],
  [
    'one as administrator',
    'users_DecideLogin',
    async () => byAdmin(await waitingLogin({ administrator: true })),
  ],
  [
    'the password of another',
    'users_SetUserPassword',
    aboutAnother({ password: 'another harbour lantern 8' }),
  ],
  ['a link for the password of another', 'users_IssuePasswordLink', aboutAnother({})],
  ['a new authenticator', 'users_BeginAuthenticatorEnrolment', ofOwn(() => ({}))],
  [
    'its first code',
    'users_ConfirmAuthenticatorEnrolment',
    ofOwn(() => ({ code: '000000' })),
    'This took more than an hour',
  ],
  ['a new passkey', 'users_BeginPasskeyRegistration', ofOwn(() => ({}))],
  [
    'what its browser made',
    'users_AddPasskey',
    ofOwn(() => ({
      name: 'x',
      credential: {
        credentialId: 'x',
        clientDataJSON: 'x',
        attestationObject: 'x',
      },
    })),
    'This passkey was not added',
  ],
  ['removal of a passkey', 'users_DeletePasskey', ofOwn(() => ({ credentialId: 'x' })), 'Passkey not found'],
  ['new recovery codes', 'users_RenewRecoveryCodes', ofOwn(() => ({})), 'Set up a second factor first'],
  ['removal of own factors', 'users_RemoveSecondFactors', ofOwn(({ userId }) => ({ userId }))],
  [
    'unlinking of an identity',
    'users_UnlinkIdentity',
    ofOwn(({ userId }) => ({
      userId,
      issuer: 'https://idp.example',
      subject: 'ann',
    })),
    'Identity not found',
  ],
  ['removal of the factors of another', 'users_RemoveSecondFactors', aboutAnother({})],
  ['settings', 'instance_SetInstanceSettingRaw', () => byAdmin({ key: 'secondFactorGraceDays', value: '3' })],
  ['disabling of a user', 'users_SetUserIsDisabled', aboutAnother({ isDisabled: true })],
  ['a first password', 'users_SetUserPassword', firstPassword],
  ['an owner of a project', 'projects_SetProjectMemberRole', newOwner],
  ['an owner who was no member', 'projects_AddProjectMember', addedOwner],
  [
    'an owner of a repository',
    'repositories_SetRepositoryMemberRole',
    async () => {
      const { owner, repositoryId } = await seedRepository(hub, {
        owner: admin,
      });
      const { userId } = await somebody();
      await hub.as(owner, 'repositories_AddRepositoryMember', {
        repositoryId,
        userId,
      });
      return { by: owner, input: { repositoryId, userId, isOwner: true } };
    },
  ],
  [
    'one who was no member',
    'repositories_AddRepositoryMember',
    async () => {
      const { repositoryId } = await seedRepository(hub, { owner: admin });
      return byAdmin({
        repositoryId,
        userId: (await somebody()).userId,
        isOwner: true,
      });
    },
  ],
  [
    'a public repository',
    'repositories_SetRepositoryVisibility',
    async () => {
      const { owner, repositoryId } = await seedRepository(hub);
      return { by: owner, input: { repositoryId, visibility: 'Public' } };
    },
  ],
  [
    'publishing from a CI',
    'repositories_AddPublisher',
    newPublisher,
    'The administrator of the hub does not allow this issuer',
  ],
  [
    'the eleventh device, one by one',
    'devices_DeleteDevice',
    async () => {
      const project = await seedProject(hub);
      const devices = await Promise.all(Array.from({ length: 11 }, () => seedDevice(hub, project)));
      const [last, ...others] = devices.map(({ deviceId }) => deviceId);
      for (const deviceId of others) {
        const input = { deviceId };
        expect(await asked({ by: project.owner, input }, 'devices_DeleteDevice', at(3600))).toBe('Passed');
      }
      return { by: project.owner, input: { deviceId: last } };
    },
  ],
  [
    'a second slice of devices',
    'fleet_ApplyChange',
    async () => {
      const project = await seedProject(hub);
      const slice = { by: project.owner, input: await deletionOf(6, project) };
      expect(await asked(slice, 'fleet_ApplyChange', at(3600))).toBe('Passed');
      return { by: project.owner, input: await deletionOf(5, project) };
    },
  ],
  [
    'the rule about second persons',
    'projects_SetPolicies',
    async () => {
      const { owner, projectId } = await seedProject(hub);
      return { by: owner, input: { projectId } };
    },
  ],
  [
    'the rule about terminals',
    'projects_SetTerminalPolicy',
    async () => {
      const { owner, projectId } = await seedProject(hub);
      const policy = { access: 'Members', isReasonNeeded: false, approval: 'None', recording: 'BestEffort' };
      return { by: owner, input: { projectId, ...policy, allowsTokens: true } };
    },
  ],
  [
    'a certificate authority',
    'projects_CreateCertificateAuthority',
    async () => {
      const { owner, projectId } = await seedProject(hub);
      return { by: owner, input: { projectId, name: 'x' } };
    },
  ],
  [
    'deletion of a certificate authority',
    'projects_DeleteCertificateAuthority',
    async () => {
      const project = await seedProject(hub);
      const { certificateAuthority } = await seedCertificateAuthority(hub, project);
      const { projectId, owner } = project;
      return { by: owner, input: { projectId, authorityId: certificateAuthority } };
    },
  ],
  [
    'the rule about certificates',
    'projects_SetCertificatePolicy',
    async () => {
      const { owner, projectId } = await seedProject(hub);
      return { by: owner, input: { projectId, isDemanded: false, validForDays: 30 } };
    },
  ],
  [
    'a terminal without a recording',
    'devices_WaiveTerminalRecording',
    async () => {
      const project = await seedProject(hub);
      const { owner } = project;
      const { deviceId } = await seedDevice(hub, project);
      const { terminal } = await seedTerminal(hub, project, { deviceId, opener: owner });
      await hub.database.db.updateTable('terminal_sessions').set({ recording: 'Required' }).execute();
      return { by: owner, input: { sessionId: terminal, reason: 'x' } };
    },
  ],
  [
    'deletion of a project',
    'projects_DeleteProject',
    async () => {
      const { owner, projectId } = await seedProject(hub);
      return { by: owner, input: { projectId } };
    },
  ],
  [
    'deletion of a repository',
    'repositories_DeleteRepository',
    ofRepository('repositories_DeleteRepository'),
  ],
  ['an object store', 'repositories_SetS3Config', ofRepository('repositories_SetS3Config')],
  [
    'one by an older client',
    'repositories_SetRepositoryS3Config',
    ofRepository('repositories_SetRepositoryS3Config'),
  ],
  ['no object store', 'repositories_RemoveS3Config', ofRepository('repositories_RemoveS3Config')],
  [
    'deletion of eleven devices',
    'fleet_ApplyChange',
    async () => {
      const project = await seedProject(hub);
      return { by: project.owner, input: await deletionOf(11, project) };
    },
  ],
];

const at = (secondsAgo: number) => ({
  ip: '127.0.0.1',
  steppedUpAt: new Date(hub.now().getTime() - secondsAgo * 1000).toISOString(),
});

/** How a call ended: Passed, StepUpWanted, or the sentence of its refusal. */
async function asked({ by, input }: Row, name: ActionName, origin: object): Promise<string> {
  try {
    await hub.executor.execute({ actor: by, origin }, name, input);
    return 'Passed';
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    return error.reason?.kind ?? error.message;
  }
}

const cases = rows.map(([what, name, make, refusal = 'Passed']) => ({ what, name, make, refusal }));
describe.each(cases)('$what', ({ name, make, refusal }) => {
  test(`${name} takes a proof of the last ten minutes`, async () => {
    const row = await make();
    expect(await asked(row, name, at(601))).toBe('StepUpWanted');
    expect(await asked(row, name, { ip: '127.0.0.1' })).toBe('StepUpWanted');
    expect(await asked(row, name, at(600))).toMatch(new RegExp(`^${refusal}`));
  });
});

test('smaller changes of the same kinds take none', async () => {
  const project = await seedProject(hub);
  const { owner } = project;
  const person = await somebody();
  const smaller: [ActionName, Row][] = [
    ['fleet_ApplyChange', { by: owner, input: await deletionOf(10, project) }],
    ['users_CreateUserToken', { by: person, input: { userId: person.userId, access: 'read' } }],
    ['users_CreateUserToken', { by: person, input: { userId: person.userId, verbs: ['publish'] } }],
    ['users_CreateUser', { by: admin, input: { email: 'plain@example.org' } }],
    ['users_DecideLogin', { by: person, input: await waitingLogin({ access: 'read' }) }],
  ];
  for (const [name, row] of smaller) {
    expect(await asked(row, name, at(3600))).toBe('Passed');
  }
});

test('every command that takes the verb manage or a session has a row above, or takes no proof for a reason', () => {
  const grave = (Object.keys(actions) as ActionName[]).filter((name) =>
    ['manage', 'none'].includes(verbOf(name)),
  );
  const named = [
    ...new Set(rows.map(([, name]) => name as string)),
    ...Object.values(commandsWithoutProof).flat(),
  ];
  expect(named.sort()).toEqual(grave.sort());
});

test('a full token passes: whoever made it had to prove who it is', async () => {
  const { owner, projectId } = await seedProject(hub);
  const token = await byToken(hub, owner);
  expect(
    await hub.executor.execute({ actor: token, origin: {} }, 'projects_DeleteProject', { projectId }),
  ).toEqual({});
});

test('rights come first: whoever may not do it is not asked who it is', async () => {
  const { projectId } = await seedProject(hub);
  const row = { by: await somebody(), input: { projectId } };
  expect(await asked(row, 'projects_DeleteProject', at(3600))).toBe('Project not found.');
});
