import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { absentId } from '../../../test/fresh-executor.ts';
import { mustBeMessage, password, refusalScene, type RefusalScene } from '../../../test/refusal-scene.ts';

let at: RefusalScene;
beforeAll(async () => void (at = await refusalScene()), 60_000);
afterAll(() => at[Symbol.asyncDispose]());

let before: string;
beforeEach(async () => void (before = await at.state()));
afterEach(async () => void expect(await at.state(), 'what is stored').toBe(before));

interface Call {
  readonly what: string;
  readonly action: string;
  readonly input: () => unknown;
  readonly headers?: () => Record<string, string>;
  readonly status: number;
  readonly kind?: string;
  readonly message: string | RegExp;
  readonly audited?: boolean;
}

const overHttp: Call[] = [
  {
    what: 'no field',
    action: 'projects_DeleteProject',
    input: () => ({}),
    status: 400,
    message: 'The field projectId is missing.',
  },
  {
    what: 'a number for an id',
    action: 'projects_DeleteProject',
    input: () => ({ projectId: 7 }),
    status: 400,
    message: /^The field projectId is wrong: /,
  },
  {
    what: 'an id of another kind',
    action: 'projects_DeleteProject',
    input: () => ({ projectId: at.id('device') }),
    status: 400,
    message: 'The field projectId must be p_ and 22 symbols.',
  },
  {
    what: 'a malformed device fingerprint',
    action: 'devices_CreateDevice',
    input: () => ({ projectId: at.id('project'), fingerprint: 'd_sk_0' }),
    status: 400,
    message: 'The field fingerprint must be d_sk_ and 44 symbols.',
  },
  {
    what: 'a malformed certificate fingerprint',
    action: 'devices_AddDeviceCertificate',
    input: () => ({ deviceId: at.id('device'), fingerprint: 'AB:CD' }),
    status: 400,
    message: 'The field fingerprint must be 32 hex pairs joined by colons.',
  },
  {
    what: 'an unknown status',
    action: 'devices_SetDeviceCertificateStatus',
    input: () => ({ certificateId: at.id('Revoked'), status: 'Fine' }),
    status: 400,
    message: /^The field status is wrong: /,
  },
  {
    what: 'text with NUL',
    action: 'devices_SetDeviceName',
    input: () => ({ deviceId: at.id('device'), name: 'a\0b' }),
    status: 400,
    message: /NUL/,
  },
  {
    what: 'a foreign project',
    action: 'projects_DeleteProject',
    input: () => ({ projectId: at.id('foreign') }),
    status: 400,
    message: 'Project not found.',
    audited: true,
  },
  {
    what: 'a missing project',
    action: 'projects_DeleteProject',
    input: () => ({ projectId: absentId('project') }),
    status: 400,
    message: 'Project not found.',
    audited: true,
  },
  {
    what: 'what an owner alone may',
    action: 'projects_DeleteProject',
    input: () => ({ projectId: at.id('project') }),
    status: 403,
    kind: 'Forbidden',
    message: 'Only an owner of the project may do this.',
    audited: true,
  },
  {
    what: 'a certificate that was revoked',
    action: 'devices_SetDeviceCertificateStatus',
    input: () => ({ certificateId: at.id('Revoked'), status: 'Active' }),
    status: 400,
    message: 'A certificate that is revoked cannot become active.',
    audited: true,
  },
  {
    what: 'a certificate that was rejected',
    action: 'devices_SetDeviceCertificateStatus',
    input: () => ({ certificateId: at.id('Rejected'), status: 'Active' }),
    status: 400,
    message: 'A certificate that is rejected cannot become active.',
    audited: true,
  },
  {
    what: 'the account of a stranger',
    action: 'users_SetUserPassword',
    input: () => ({ userId: at.id('stranger'), password }),
    status: 400,
    message: 'User not found.',
    audited: true,
  },
  {
    what: 'a password that is too short',
    action: 'users_SetUserPassword',
    input: () => ({ userId: at.id('member'), password: 'short' }),
    status: 400,
    message: /at least 8/,
    audited: true,
  },
  {
    what: 'nobody',
    action: 'projects_DeleteProject',
    input: () => ({ projectId: at.id('project') }),
    headers: () => ({}),
    status: 401,
    kind: 'Forbidden',
    message: 'Not logged in.',
    audited: true,
  },
  {
    what: 'an expired session',
    action: 'projects_DeleteProject',
    input: () => ({ projectId: at.id('project') }),
    headers: () => ({ cookie: at.expiredCookie }),
    status: 401,
    kind: 'Forbidden',
    message: 'Not logged in.',
  },
  {
    what: 'a deleted token',
    action: 'projects_DeleteProject',
    input: () => ({ projectId: at.id('project') }),
    headers: () => ({ authorization: `Bearer ${at.deletedUserToken}` }),
    status: 401,
    kind: 'Forbidden',
    message: 'The user token is not valid.',
  },
];

test.each(overHttp)('$what', async (call) => {
  const recorded = await at.recordedBy(async () => {
    const headers = call.headers?.() ?? { cookie: at.cookie };
    const answer = await at.transports.hub.invoke(call.action, call.input(), headers);
    expect(answer.json).toEqual({
      kind: call.kind ?? 'Invalid',
      message: expect.stringMatching(call.message),
    });
    expect(answer.status).toBe(call.status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    mustBeMessage(answer.json['message']);
  });
  expect(recorded).toEqual(call.audited === true ? [`${call.action} Failed`] : []);
});
