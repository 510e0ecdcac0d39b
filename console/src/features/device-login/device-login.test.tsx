import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { repository } from '../../../test/repository-answers.ts';
import { renderConsole, signedIn } from '../../../test/render-console.tsx';

const found = {
  result: 'Found',
  userCode: 'BCDF-GHJK',
  name: 'corral on laptop',
  address: '203.0.113.9',
  createdAt: '2026-11-20T12:00:00Z',
  expiresAt: '2026-11-20T12:10:00Z',
  access: 'read',
  administrator: false,
  validForDays: 90,
} as const;

async function enter(code: string, answers: Parameters<typeof renderConsole>[1]) {
  const { user } = renderConsole('/login/device', { ...signedIn, ...answers });
  await user.type(await screen.findByRole('textbox', { name: /Code/ }), code);
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  return user;
}

test('a code shows what is asked for and from where, and is approved', async () => {
  const decisions: unknown[] = [];
  const user = await enter('bcdfghjk', {
    users_FindLogin: () => found,
    users_DecideLogin: (input) => {
      decisions.push(input);
      return {};
    },
  });
  for (const shown of ['BCDF-GHJK', 'corral on laptop', '203.0.113.9', 'Only reads', '90 days'])
    expect(await screen.findByText(shown)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText('Approved')).toBeVisible();
  expect(decisions).toEqual([{ userCode: 'BCDF-GHJK', isApproved: true }]);
});

test('projects and repositories that are asked for show by their names, others by their ids', async () => {
  await enter('bcdfghjk', {
    users_FindLogin: () => ({ ...found, projects: ['p_1', 'p_2'], repositories: ['repo_1'] }),
    users_QueryUserProjects: () => ({ projects: [{ projectId: 'p_1', name: 'Harbour', devices: 0 }] }),
    users_QueryUserRepositories: () => ({
      repositories: [{ ...repository, repositoryId: 'repo_1', name: 'images', isMember: true }],
    }),
  });
  expect(await screen.findByText('Harbour, p_2')).toBeVisible();
  expect(await screen.findByText('images')).toBeVisible();
});

test('an unknown code is refused with a sentence, and what was typed stays', async () => {
  await enter('wrong', { users_FindLogin: () => ({ result: 'NotFound' }) });
  expect(await screen.findByText(/^No sign-in is waiting for this code\./)).toBeVisible();
  expect(screen.getByRole('textbox', { name: /Code/ })).toHaveValue('wrong');
});
