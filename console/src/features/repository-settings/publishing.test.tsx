import type { AnswerTable } from '@corral/client';
import type { Output } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole } from '../../../test/render-console.tsx';
import { repository, repositoryAnswers, repositoryId } from '../../../test/repository-answers.ts';

type Publishers = Output<'repositories_GetPublishers'>;

const github = 'https://token.actions.githubusercontent.com';
const none: Publishers = { audience: 'https://hub.example', issuers: [github], publishers: [], refusals: [] };
const releases: Publishers['publishers'][number] = {
  publisherId: 'repo_pub_7KqW2x9RvHy8cBq1sw7Fd4',
  name: 'releases',
  kind: 'GitHub',
  issuer: github,
  conditions: [
    { claim: 'repository_id', expected: '123' },
    { claim: 'repository_owner_id', expected: '45' },
  ],
  allowsPullRequests: false,
  createdAt: '2026-11-20T10:00:00Z',
};

function open(publishers: Partial<Publishers>, more: AnswerTable = {}) {
  return renderConsole(`/repositories/${repositoryId}/settings`, {
    ...repositoryAnswers,
    repositories_GetRepositoryDetails: () => repository,
    repositories_GetPublishers: () => ({ ...none, ...publishers }),
    ...more,
  });
}

test('an owner allows the jobs of a CI, by the claims that this CI has', async () => {
  const calls: unknown[] = [];
  const { user } = open(
    {},
    { repositories_AddPublisher: (input) => (calls.push(input), { publisherId: releases.publisherId }) },
  );
  await user.click(await screen.findByRole('button', { name: 'Allow jobs' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Allow jobs' }));
  await user.type(dialog.getByLabelText('Name (required)'), 'releases');
  await user.type(dialog.getByLabelText(/^Number of the repository or project/), '123');
  await user.type(dialog.getByLabelText(/^Number of its owner/), '45');
  await user.type(dialog.getByLabelText(/^Branch or tag/), 'refs/tags/v*');
  await user.type(dialog.getByLabelText(/^Further claims/), 'actor_id');
  await user.tab();
  expect(dialog.getByText('Write them as NAME=VALUE, separated by commas.')).toBeVisible();
  await user.type(dialog.getByLabelText(/^Further claims/), '=7');
  await user.click(dialog.getByRole('button', { name: 'Allow jobs' }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        repositoryId,
        name: 'releases',
        kind: 'GitHub',
        issuer: github,
        allowsPullRequests: false,
        conditions: [
          ...releases.conditions,
          { claim: 'ref', expected: 'refs/tags/v*' },
          { claim: 'actor_id', expected: '7' },
        ],
      },
    ]),
  );
});

test('the card shows who may publish, the workflow with this hub, and why tokens were refused', async () => {
  const calls: unknown[] = [];
  const reason = 'releases: The claim ref is refs/heads/dev, not refs/heads/main.';
  const { user } = open(
    {
      publishers: [
        { ...releases, lastUsedAt: '2026-11-20T11:00:00Z', lastUsedBy: 'ann/press at refs/heads/main' },
      ],
      refusals: [{ at: '2026-11-20T11:30:00Z', job: 'ann/press at refs/heads/dev', reason }],
    },
    { repositories_DeletePublisher: (input) => (calls.push(input), {}) },
  );
  expect(
    await screen.findByText(/repository_id = 123, repository_owner_id = 45, from any branch and tag/),
  ).toBeVisible();
  expect(screen.getByText(/by ann\/press at refs\/heads\/main/)).toBeVisible();
  expect(screen.getByText(new RegExp(reason))).toBeVisible();
  const workflow = screen.getByRole('group', { name: 'A job of GitHub Actions' });
  expect(workflow).toHaveTextContent('id-token: write');
  expect(workflow).toHaveTextContent('CORRAL_URL: https://hub.example');
  await user.click(screen.getByRole('button', { name: 'Remove “releases”' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Remove “releases”' }));
  await user.click(question.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(calls).toEqual([{ publisherId: releases.publisherId }]));
});

test('without a CI that the administrator allows, the card says so', async () => {
  open({ issuers: [], publishers: [releases] });
  expect(await screen.findByText(/no longer allows this issuer/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Allow jobs' })).toHaveAccessibleDescription(
    'The administrator of the hub allows no CI yet, in the settings of the instance.',
  );
});
