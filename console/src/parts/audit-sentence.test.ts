import { type AuditLogEvent, events } from '@corral/contract';
import { expect, test } from 'vitest';
import { auditSentence, auditSentenceText } from './audit-sentence.ts';

const userId = 'u_7KqW2x9RvHy8cBq1sw7Fd4';
const deviceId = 'd_5vPxW2x9RvHy8cBq1sw7Fe';
const projectId = 'p_5vPxW2x9RvHy8cBq1sw7Fe';
const names = new Map([
  [userId, 'Mara Keller'],
  [deviceId, 'press-0117'],
]);

function say(event: string, data: object, actor: object = { kind: 'User', userId }): string {
  return auditSentenceText({ event, data, actor } as AuditLogEvent, { names, isAdmin: false });
}

test.each([
  [
    ['devices_NameChanged', { deviceId, projectId, name: 'press-1' }],
    'Mara Keller renamed a device to press-1',
  ],
  [['devices_NameChanged', { deviceId, projectId, name: null }], 'Mara Keller renamed a device to unnamed'],
  [
    ['devices_CertificateAdded', { deviceId, projectId, status: 'Pending' }, { kind: 'System' }],
    'A certificate of press-0117 waits for a decision',
  ],
  [
    ['devices_CertificateStatusChanged', { deviceId, status: 'Active' }],
    'Mara Keller accepted a certificate of press-0117',
  ],
  [
    [
      'projects_DeploymentTokenFlagsChanged',
      { tokenId: 'deployment_id_7KqW2x9RvHy8cBq1sw7Fd4', flags: { autoAccept: false } },
    ],
    'Mara Keller turned off auto accept of token …7Fd4',
  ],
  [['projects_DeploymentTokenDeleted', { name: 'line-2' }], 'Mara Keller deleted the token line-2'],
  [
    [
      'repositories_TagMoved',
      { packageId: 'pkg_7KqW2x9RvHy8cBq1sw7Fd4', tags: [{ tag: 'stable' }, { tag: 'latest' }] },
    ],
    'Mara Keller moved the tag stable, latest of package …7Fd4',
  ],
  [
    ['users_SessionTerminated', { userId }, { kind: 'System' }],
    'A session of Mara Keller was ended by the hub',
  ],
  [['users_SignInFailed', {}, { kind: 'Anonymous' }], 'A sign-in of unnamed failed'],
  [['instance_SettingChanged', { key: 'banner', value: null }], 'Mara Keller changed the setting banner'],
  [['later_Invented', {}], 'later_Invented by Mara Keller'],
] as const)('%j is told as a sentence', ([event, data, actor], sentence) => {
  expect(say(event, data, actor)).toBe(sentence);
});

test('every event of a log has a sentence, whatever its data lacks', () => {
  for (const [event, { persistence }] of Object.entries(events))
    if (persistence === 'log') expect(say(event, {})).not.toMatch(/[{}]|undefined|null|_/u);
});

test('the subjects of a sentence lead to their pages', () => {
  const data = { deviceId, projectId };
  const actor = { kind: 'User', userId };
  const pieces = auditSentence({ event: 'devices_CertificateDeleted', data, actor } as never, {
    names,
    isAdmin: false,
  });
  expect(pieces.map(({ path }) => path)).toEqual([
    `/projects/${projectId}/members?q=${userId}`,
    undefined,
    `/projects/${projectId}/devices/${deviceId}`,
  ]);
});
