import { ids, type ActionName, type Actor } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  absentId,
  anonymous,
  freshExecutor,
  system,
  type FreshExecutor,
} from '../../../test/fresh-executor.ts';
import {
  auditedStatuses,
  createUserToken,
  validPassword,
  userRowsText,
  signIn,
} from '../../../test/test-users.ts';

/** Ids to use in inputs: those of existing entities, or ones that do not exist. */
interface Named {
  readonly userId: string;
  readonly tokenId: string;
  readonly sessionId: string;
}

interface Row {
  readonly name: ActionName;
  readonly input: (of: Named) => object;
  /** The answer to a stranger, the same for foreign and missing entities. */
  readonly toStranger: object;
  /** The answer to the user's own user token; undefined if it is permitted. */
  readonly toOwnToken?: object;
  readonly isQuery?: boolean;
}

const noUser = { kind: 'Invalid', message: 'User not found.' };
const noToken = {
  kind: 'Forbidden',
  message: 'A user token may not do this. Sign in and do it in a session.',
};
const onlyAdministrators = { kind: 'Forbidden', message: 'Only administrators may do this.' };
const onlyHub = { kind: 'Forbidden', message: 'Only the hub itself may do this.' };
const deviceId = absentId('device');

const rows: readonly Row[] = [
  {
    name: 'users_QueryUsers',
    input: () => ({}),
    toStranger: onlyAdministrators,
    toOwnToken: onlyAdministrators,
    isQuery: true,
  },
  {
    name: 'users_CreateUser',
    input: () => ({ email: 'new@example.com' }),
    toStranger: onlyAdministrators,
    toOwnToken: onlyAdministrators,
  },
  {
    name: 'users_SetUserIsAdmin',
    input: ({ userId }) => ({ userId, isAdmin: true }),
    toStranger: onlyAdministrators,
    toOwnToken: onlyAdministrators,
  },
  { name: 'users_GetUserDetails', input: ({ userId }) => ({ userId }), toStranger: noUser, isQuery: true },
  { name: 'users_QueryUserProjects', input: ({ userId }) => ({ userId }), toStranger: noUser, isQuery: true },
  {
    name: 'users_GetDevicePermissions',
    input: ({ userId }) => ({ userId, deviceId }),
    toStranger: noUser,
    isQuery: true,
  },
  {
    name: 'users_SetUserDisplayName',
    input: ({ userId }) => ({ userId, displayName: 'Taken' }),
    toStranger: noUser,
  },
  { name: 'users_DeleteUser', input: ({ userId }) => ({ userId }), toStranger: noUser, toOwnToken: noToken },
  {
    name: 'users_SetUserPassword',
    input: ({ userId }) => ({ userId, password: validPassword }),
    toStranger: noUser,
    toOwnToken: noToken,
  },
  {
    name: 'users_CreateUserToken',
    input: ({ userId }) => ({ userId }),
    toStranger: noUser,
    toOwnToken: noToken,
  },
  {
    name: 'users_QueryUserTokens',
    input: ({ userId }) => ({ userId }),
    toStranger: noUser,
    toOwnToken: noToken,
    isQuery: true,
  },
  {
    name: 'users_QueryUserSessions',
    input: ({ userId }) => ({ userId }),
    toStranger: noUser,
    toOwnToken: noToken,
    isQuery: true,
  },
  {
    name: 'users_DeleteUserToken',
    input: ({ tokenId }) => ({ tokenId }),
    toStranger: { kind: 'Invalid', message: 'Token not found.' },
    toOwnToken: noToken,
  },
  {
    name: 'users_TerminateUserSession',
    input: ({ sessionId }) => ({ sessionId }),
    toStranger: { kind: 'Invalid', message: 'Session not found.' },
    toOwnToken: noToken,
  },
  {
    name: 'users_InitiateUserSession',
    input: () => ({ email: 'ann@example.com', password: validPassword, userAgent: '' }),
    toStranger: onlyHub,
    toOwnToken: onlyHub,
  },
];

/** Commands that the hub itself calls often leave no audit row. */
const hubRows: readonly Row[] = [
  {
    name: 'users_AuthenticateWithUserToken',
    input: () => ({ token: absentId('userToken') + 'a'.repeat(44) }),
    toStranger: onlyHub,
    isQuery: true,
  },
  {
    name: 'users_AuthenticateWithSessionToken',
    input: () => ({ token: absentId('sessionToken') + 'a'.repeat(44) }),
    toStranger: onlyHub,
    isQuery: true,
  },
];

let hub: FreshExecutor;
let stranger: Actor;
let annToken: Actor;
let adminToken: Actor;
let ofAnn: Named;
const ofNobody: Named = {
  userId: absentId('user'),
  tokenId: absentId('userTokenId'),
  sessionId: absentId('session'),
};

beforeAll(async () => {
  hub = await freshExecutor();
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  await hub.user('second@example.com', { isAdmin: true });
  const ann = await hub.user('ann@example.com', { password: validPassword });
  stranger = await hub.user('stranger@example.com');
  annToken = await createUserToken(hub, ann);
  // A token may delete itself, but no other.
  const other = await createUserToken(hub, ann);
  adminToken = await createUserToken(hub, admin);
  const { sessionId } = await signIn(hub, 'ann@example.com', validPassword);
  ofAnn = { userId: ann.userId, tokenId: other.tokenId, sessionId };
});
afterAll(() => hub[Symbol.asyncDispose]());

async function mustBeRefused(actor: Actor, row: Row, named: Named, expected: object): Promise<void> {
  // Of refusals to anonymous callers only the first in a minute gets a row.
  if (actor.actor === 'Anonymous') hub.advance(60);
  const before = await userRowsText(hub);
  const recorded = (await auditedStatuses(hub, row.name)).length;
  expect(await hub.refusal(actor, row.name, row.input(named))).toEqual(expected);
  expect(await userRowsText(hub)).toBe(before);
  const statuses = (await auditedStatuses(hub, row.name)).slice(recorded);
  expect(statuses).toEqual(row.isQuery === true ? [] : ['Failed']);
}

describe.each([...rows, ...hubRows])('$name', (row) => {
  test('"Actor check fails with Not logged in if kind is not User.": whatever id an anonymous caller names', async () => {
    const notLoggedIn = { kind: 'NotSignedIn', message: 'Not logged in.' };
    await mustBeRefused(anonymous, row, ofAnn, notLoggedIn);
    await mustBeRefused(anonymous, row, ofNobody, notLoggedIn);
  });

  test('gives other users the same answer for existing and missing ids', async () => {
    await mustBeRefused(stranger, row, ofAnn, row.toStranger);
    await mustBeRefused(stranger, row, ofNobody, row.toStranger);
  });

  test('refuses devices', async () => {
    const device: Actor = {
      actor: 'Device',
      kind: 'Device',
      deviceId,
      tokenId: absentId('deploymentTokenId'),
    };
    const before = await userRowsText(hub);
    expect((await hub.refusal(device, row.name, row.input(ofAnn))).kind).toBe('Forbidden');
    expect(await userRowsText(hub)).toBe(before);
  });
});

describe.each(rows.filter((row) => row.toOwnToken !== undefined))('$name by a user token', (row) => {
  test("is refused for the caller's own account", () =>
    mustBeRefused(annToken, row, ofAnn, row.toOwnToken ?? {}));

  test('is refused for the token of an administrator', () =>
    mustBeRefused(adminToken, row, ofAnn, row.toOwnToken ?? {}));
});

describe.each(rows.filter((row) => row.toOwnToken === undefined))('$name by a user token', (row) => {
  test('is not allowed to administrators', () => mustBeRefused(adminToken, row, ofAnn, row.toStranger));
});

test('an administrator gets the same sentence for a missing user, token or session', async () => {
  const admin = await hub.user('third@example.com', { isAdmin: true });
  for (const row of rows.filter(
    ({ toStranger }) => 'message' in toStranger && /not found/.test(String(toStranger.message)),
  )) {
    expect(await hub.refusal(admin, row.name, row.input(ofNobody))).toEqual(row.toStranger);
  }
  expect(await hub.refusal(system, 'users_DeleteUser', { userId: ofNobody.userId })).toEqual(noUser);
});

test('an id of another kind is refused before any query', async () => {
  const { message } = await hub.refusal(stranger, 'users_GetUserDetails', {
    userId: ids.project.of('a'.repeat(22)),
  });
  expect(message).toBe('The field userId must be u_ and 22 symbols.');
});
