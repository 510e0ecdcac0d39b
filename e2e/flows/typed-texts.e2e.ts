import type { Locator } from '@playwright/test';
import { newUser, type Operator } from '../fixtures/operator.ts';
import { newRepository } from '../fixtures/repository.ts';
import { expect, openSession, test } from '../fixtures/test.ts';

// Every form must accept exactly what the hub accepts, and show the hub's message for everything else.

const horse = '🐎';
const combined = 'e\u0301';
const noBreakSpace = '\u00a0';
const names = [
  '',
  '   ',
  noBreakSpace,
  'x',
  ' x ',
  'x'.repeat(200),
  'x'.repeat(201),
  ` ${'x'.repeat(200)} `,
  horse.repeat(200),
  horse.repeat(201),
  combined.repeat(100),
  `${combined.repeat(100)}x`,
];
const emails = [
  '',
  'mara',
  '@example.com',
  'mara@',
  'two@at@signs',
  'mara,ann@example.com',
  'ma ra@example.com',
  '"mara"@example.com',
  'Mara@Example.COM',
  'mara@localhost',
  `${combined}@example.com`,
  `${'a'.repeat(242)}@example.com`,
  `${'a'.repeat(243)}@example.com`,
  `${horse.repeat(242)}@example.com`,
  `${horse.repeat(243)}@example.com`,
];
const passwordsOf = (email: string) => [
  '',
  '1234567',
  horse.repeat(4),
  horse.repeat(7),
  horse.repeat(8),
  combined.repeat(3),
  combined.repeat(4),
  ' '.repeat(7),
  ' '.repeat(8),
  ' 123456',
  ' 1234567',
  'x'.repeat(1024),
  'x'.repeat(1025),
  horse.repeat(256),
  horse.repeat(257),
  email,
  `${email.split('@')[0]}-2026!`,
  'Corral2026',
  'a gate, a latch, a rail',
];

/** For further forms: that they have the rule at all. */
const someNames = ['   ', horse.repeat(200), 'x'.repeat(201)];
const somePasswords = ['1234567', horse.repeat(8), 'x'.repeat(1025)];

type Problem = (typed: string) => Promise<string | undefined>;

/** The message of a refused call; undefined if it succeeds. */
const messageOf = (call: Promise<unknown>): Promise<string | undefined> =>
  call.then(
    () => undefined,
    (error: Error) => error.message,
  );

/** The hub's message for a sign-up. Without consent nothing is registered: the hub checks it after all other fields. */
async function signUpProblem(operator: Operator, form: object): Promise<string | undefined> {
  const complete = {
    displayName: 'Mara Keller',
    email: 'mara@example.com',
    password: 'a gate, a latch, a rail',
    ...form,
  };
  const message = await messageOf(
    operator.invoke('users_RegisterUser', { ...complete, consentedToTerms: false }),
  );
  expect(message).toBeDefined();
  return message === 'Please agree to the Terms of Service and Privacy Policy.' ? undefined : message;
}

/** Types each text into the field, and expects the field to be valid, or to show the message of the hub. */
async function expectSameRule(field: Locator, texts: readonly string[], problem: Problem): Promise<void> {
  for (const typed of texts) {
    const message = await problem(typed);
    const label = `${JSON.stringify(typed.slice(0, 40))}, ${typed.length} long: ${message ?? 'valid'}`;
    // An empty field is valid until something was typed.
    if (typed === '') await field.fill('.');
    await field.fill(typed);
    await field.blur();
    await expect(field, label).toHaveAttribute('data-tone', message === undefined ? 'green' : 'red');
    if (message !== undefined) await expect(field, label).toHaveAccessibleDescription(RegExp(message));
  }
}

test('the sign-up form and the hub accept the same names, addresses and passwords', async ({
  page,
  hub,
  operator,
}) => {
  await page.goto(`${hub.url}/signup`);
  await expectSameRule(page.getByLabel('Full name'), names, (displayName) =>
    signUpProblem(operator, { displayName }),
  );
  const email = page.getByLabel('Email (required)');
  await expectSameRule(email, emails, (typed) => signUpProblem(operator, { email: typed }));
  const own = 'mara.keller@example.com';
  await email.fill(own);
  const password = page.getByLabel('Password (required)', { exact: true });
  await expectSameRule(password, passwordsOf(own), (typed) =>
    signUpProblem(operator, { email: own, password: typed }),
  );
});

test('the settings and the hub accept the same names and passwords', async ({ page, hub, operator }) => {
  const user = await newUser(operator);
  const { userId } = user;
  await openSession(page, hub, user);
  await page.goto('/settings/profile');
  await expectSameRule(page.getByLabel('Display name (required)'), someNames, (displayName) =>
    messageOf(operator.invoke('users_SetUserDisplayName', { userId, displayName })),
  );
  await page.goto('/settings/security');
  const password = page.getByLabel('New password (required)', { exact: true });
  await expectSameRule(password, [...somePasswords, user.email], (typed) =>
    signUpProblem(operator, { email: user.email, password: typed }),
  );
  await page.getByRole('button', { name: 'New Token' }).first().click();
  await expectSameRule(page.getByRole('dialog').getByLabel('Name'), someNames, (name) =>
    messageOf(operator.invoke('users_CreateUserToken', { userId, name })),
  );
});

test('the dialogs for projects and deployment tokens and the hub accept the same names', async ({
  signedIn: page,
  operator,
  project,
}) => {
  const { projectId } = project;
  await page.goto('/projects');
  await page.getByRole('button', { name: 'Create Project' }).first().click();
  await expectSameRule(page.getByRole('dialog').getByLabel('Name'), someNames, async (name) =>
    messageOf(operator.invoke('projects_SetName', { projectId, name })),
  );
  await page.goto(`/projects/${projectId}/tokens`);
  await page.getByRole('button', { name: 'New Token' }).first().click();
  await expectSameRule(page.getByRole('dialog').getByLabel('Name'), someNames, (name) =>
    messageOf(operator.invoke('projects_CreateDeploymentToken', { projectId, name })),
  );
});

test('the dialogs that name a repository and the hub accept the same names', async ({
  signedIn: page,
  operator,
}) => {
  const { repositoryId, path } = await newRepository(operator);
  const own = [
    '.',
    '..',
    'a/b',
    'a@b',
    'a~b',
    'a\u202eb',
    'x'.repeat(128),
    'x'.repeat(129),
    horse.repeat(128),
  ];
  const problem: Problem = (displayName) =>
    messageOf(operator.invoke('repositories_SetDisplayName', { repositoryId, displayName }));
  await page.goto(`${path}/settings`);
  await page.getByRole('button', { name: 'Rename Repository' }).click();
  await expectSameRule(page.getByRole('dialog').getByLabel('Name'), [...names, ...own], problem);
  await page.goto('/repositories#create');
  await expectSameRule(
    page.getByRole('dialog').getByLabel('Name'),
    [...someNames, ...own.slice(2, 8)],
    problem,
  );
});
