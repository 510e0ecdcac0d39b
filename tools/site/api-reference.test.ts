import { expect, test } from 'vitest';
import { apiReference } from './api-reference.ts';
import { whoMay } from './who-may.ts';

const { overview, pages } = apiReference();
const markdown = pages.map((page) => page.markdown).join('\n');

test('the reference says who may do an action, as the table of rights has it', () => {
  const words = whoMay();
  expect(words.get('projects_CreateDeploymentToken')).toBe('members, owners, administrators');
  expect(words.get('projects_CreateCertificateAuthority')).toBe('owners, administrators');
  expect(words.get('users_AcceptProjectInvitation')).toBe('who is invited');
  expect(words.get('jobs_RetryJob')).toBe('administrators');
  expect(words.get('users_IssuePasswordLink')).toBe('administrators');
  expect(words.get('devices_ClaimOperationWork')).toBe('devices');
  expect(words.get('users_InitiateUserSession')).toBe('only the hub itself');
  for (const [, name = ''] of markdown.matchAll(/^## (\w+)$/gm)) expect(words.get(name), name).toBeTruthy();
});

test('each action has its path, its fields with their types, and an example of what it requires', () => {
  const [, section = ''] = /\n## projects_CreateDeploymentToken\n([^]*?)\n## /.exec(markdown) ?? [];
  expect(section).toContain('`POST /api/v1/actions/invoke/projects_CreateDeploymentToken`');
  expect(section).toContain('| `projectId` | id `p_…` |');
  expect(section).toContain('| `flags.autoAccept` (optional) | `true` or `false` |');
  expect(section).toContain('| `token` | id `deployment_…` |');
  expect(section).toContain(`-d '{"projectId":"p_…","name":"…"}'`);
  expect(overview).toContain('| 429 |');
});

test('an object with many fields is shown once on a page, and referred to afterwards', () => {
  const page = pages.find(({ domain }) => domain === 'alerts')?.markdown ?? '';
  expect(page.match(/\(UserToken\)\.tokenId` \|/g)).toHaveLength(1);
  expect(page).toContain(
    '| `alerts[].acknowledgedBy` (optional) | object, as `rules[].createdBy` of [alerts_QueryRules](#alerts_queryrules) |',
  );
});
