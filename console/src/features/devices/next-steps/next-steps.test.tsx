import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { crane, devices, gate, projectAnswers, projectId } from '../../../../test/project-answers.ts';
import type { AnswerTable } from '@corral/client';
import { renderConsole } from '../../../../test/render-console.tsx';

const address = `/projects/${projectId}/devices`;
const asked: string[] = [];
const answers: AnswerTable = {
  ...projectAnswers,
  projects_QueryAuditLog: ({ filter }) => {
    asked.push(filter ?? '');
    return { events: [] };
  },
};
const steps = () => screen.findByText('Next steps').then((title) => title.closest('section') as HTMLElement);

test('after the first devices, what is done is ticked and the rest leads to where it is done', async () => {
  renderConsole(address, answers);
  const card = within(await steps());
  expect(card.getByText('2 of 6 done')).toBeVisible();
  const links = card.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    [expect.stringContaining('Accept its certificate'), `${address}?certs=pending`],
    [expect.stringContaining('Open its web interface or a port'), `${address}/${crane}`],
    [expect.stringContaining('Invite a colleague'), `/projects/${projectId}/members#create`],
    [expect.stringContaining('Publish software'), `/projects/${projectId}/repositories`],
  ]);
  expect(card.getByText('Give it a name').closest('a')).toBeNull();
  expect(asked).toContain('event:devices_HttpProxyTokenIssued');
});

test('hidden steps stay hidden for this user and project', async () => {
  const { user, unmount } = renderConsole(address, answers);
  await user.click(within(await steps()).getByRole('button', { name: 'Hide these steps' }));
  expect(screen.queryByText('Next steps')).toBeNull();
  unmount();
  renderConsole(address, answers);
  await screen.findByRole('table', { name: 'Devices' });
  await waitFor(() => expect(screen.getByText('2 of 3 connected · 2 certificates waiting')).toBeVisible());
  expect(screen.queryByText('Next steps')).toBeNull();
});

test.each<[string, AnswerTable]>([
  [
    'all is done',
    {
      projects_QueryProjectDevices: () => ({ devices: devices.filter(({ deviceId }) => deviceId !== gate) }),
      projects_GetProjectDetails: () => ({
        projectId,
        name: 'Harbour cranes',
        deviceCount: 2,
        memberCount: 2,
        repositoryCount: 1,
        isOwner: true,
      }),
      projects_QueryAuditLog: () => ({ events: [{}] as never }),
    },
  ],
  [
    'the project has many devices',
    {
      projects_QueryProjectDevices: () => ({
        devices: Array.from({ length: 11 }, (_, index) => ({
          ...devices[0]!,
          deviceId: `${crane.slice(0, -2)}${10 + index}` as typeof crane,
        })),
      }),
    },
  ],
])('there are no steps when %s', async (_when, given) => {
  const { queryClient } = renderConsole(address, { ...answers, ...given });
  await screen.findByRole('table', { name: 'Devices' });
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(screen.queryByText('Next steps')).toBeNull();
});
