import type { AnswerTable } from '@corral/client';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { devices, projectAnswers, projectId } from '../../../test/project-answers.ts';
import { repositoryAnswers, repositoryId } from '../../../test/repository-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';

beforeEach(() => localStorage.clear());

async function open(address: string, answers: AnswerTable) {
  const view = renderConsole(address, answers);
  await screen.findByRole('heading', { level: 1 });
  await view.user.keyboard('{Control>}k{/Control}');
  return { ...view, field: await screen.findByRole('combobox', { name: 'Go to anything' }) };
}

test('the devices of a large project are counted as the hub counts them, and matches as a minimum', async () => {
  const cranes = Array.from({ length: 500 }, (_, number) => ({
    ...devices[0]!,
    deviceId: `d_crane${number}` as const,
    name: `crane-${number}`,
  }));
  const { user, field } = await open(`/projects/${projectId}/devices`, {
    ...projectAnswers,
    users_QueryUserProjects: () => ({
      projects: [{ projectId, name: 'Cranes', devices: 98_765, owner: 'u_7KqW2x9RvHy8cBq1sw7Fd4' }],
    }),
    projects_QueryProjectDevices: () => ({ devices: cranes, next: '500' }),
  });
  expect(await screen.findByRole('option', { name: /All 98,765 devices/ })).toBeVisible();
  await user.type(field, 'crane');
  expect(await screen.findByRole('option', { name: /All 500\+ in Devices/ })).toBeVisible();
});

test('packages of a large repository are found beyond those that it lists first', async () => {
  const packageOf = (name: string, number: number) => ({
    packageId: `pkg_${number}` as const,
    name,
    createdAt: '2026-10-02T10:00:00Z',
    versionCount: 1,
  });
  const first = Array.from({ length: 500 }, (_, number) => packageOf(`boot-${number}`, number));
  const asked: unknown[] = [];
  const { user, field } = await open(`/repositories/${repositoryId}/packages`, {
    ...repositoryAnswers,
    repositories_QueryRepositoryPackages: ({ search, limit }) => {
      if (limit === 50) asked.push(search);
      return search === undefined
        ? { packages: first, next: '500' }
        : { packages: [packageOf('winch-driver', 501)] };
    },
  });
  await user.click(field);
  await user.paste('Driver win');
  expect(await screen.findByRole('option', { name: /winch-driver/ })).toBeVisible();
  await waitFor(() => expect(asked).toEqual(['driver']));
});
