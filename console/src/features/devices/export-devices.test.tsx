import type { AnswerTable } from '@corral/client';
import { ActionError, type CallInput, type Output } from '@corral/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { held, renderConsole } from '../../../test/render-console.tsx';
import { firstDevices } from '../../data/queries-projects.ts';
import { downloadText } from '../../ui/text/download-text.ts';
import { chooseInTableMenu, openTableMenu } from '../../../test/table-menu.ts';

vi.mock('../../ui/text/download-text.ts', () => ({ downloadText: vi.fn() }));

type Input = CallInput<'projects_QueryProjectDevices'>;
type Answer = Output<'projects_QueryProjectDevices'>;

const address = `/projects/${projectId}/devices?columns=status`;
const total = 522;
const devices: Answer['devices'] = Array.from({ length: total }, (_, index) => ({
  deviceId: `d_${index}`,
  ...(index === 1 ? { hostname: 'pump-7' } : index === 2 ? {} : { name: `crane-${index}` }),
  firstSeen: '2026-10-02T10:00:00Z',
  isConnected: true,
  pendingCertificatesCount: 0,
}));

/** A hub with 522 devices; `second` answers for the page after the first. */
function fleet(second: (page: Answer) => Answer | Promise<Answer> = (page) => page) {
  const asked: Input[] = [];
  const answers: AnswerTable = {
    ...projectAnswers,
    projects_GetProjectDetails: () => ({ projectId, name: 'Fleet', deviceCount: total }),
    projects_QueryProjectDevices: (input: Input) => {
      asked.push(input);
      if (input.after === undefined)
        return { devices: devices.slice(0, firstDevices), next: String(firstDevices) };
      return second({ devices: devices.slice(Number(input.after)) });
    },
  };
  return { asked, answers };
}

beforeEach(() => vi.mocked(downloadText).mockClear());

const lines = () => vi.mocked(downloadText).mock.lastCall?.[2].trimEnd().split('\r\n') ?? [];
const press = () => chooseInTableMenu('Devices', 'Download as CSV');

test('the export of a long list has the devices of all pages, read with the filter and the order that show', async () => {
  const { asked, answers } = fleet();
  renderConsole(`${address}&q=crane&sort=-name`, answers);
  await press();
  expect(await screen.findByText('522 rows downloaded')).toBeVisible();
  expect(lines()).toHaveLength(total + 1);
  expect(lines().at(-1)).toBe('"crane-521","Connected"');
  expect(asked.at(-1)).toMatchObject({ filter: 'crane', order: '-name', after: '500' });
});

test('the export has the names of the devices, and "unnamed" where there is none', async () => {
  renderConsole(address, fleet().answers);
  await press();
  await waitFor(() =>
    expect(lines().slice(0, 4)).toEqual([
      '\uFEFF"Name","Status"',
      '"crane-0","Connected"',
      '"unnamed","Connected"',
      '"unnamed","Connected"',
    ]),
  );
});

test('an export shows how many rows were read, and can be cancelled', async () => {
  const page = held<Answer>();
  const { user } = renderConsole(address, fleet(() => page.promise).answers);
  await press();
  expect(await screen.findByText('500 so far')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  const menu = await openTableMenu('Devices');
  await waitFor(() =>
    expect(menu.getByRole('menuitem', { name: 'Download as CSV' })).not.toHaveAttribute('aria-disabled'),
  );
  page.resolve({ devices: devices.slice(firstDevices) });
  await page.promise;
  await waitFor(() => expect(screen.queryByText('Reading the rows of devices.csv')).toBeNull());
  expect(downloadText).not.toHaveBeenCalled();
});

test('an export that fails says so instead of a file without the other rows, and can be tried again', async () => {
  let isFull = true;
  const { answers } = fleet((page) => {
    if (isFull) throw new ActionError('Invalid', 'The store is full.');
    return page;
  });
  const { user } = renderConsole(address, answers);
  await press();
  expect((await screen.findAllByText('devices.csv was not downloaded'))[0]).toBeVisible();
  expect(screen.getAllByText('The store is full.')[0]).toBeVisible();
  expect(downloadText).not.toHaveBeenCalled();
  isFull = false;
  // Hidden from screen readers, which are told the failure at once, until the focus is in the toasts.
  await user.click(screen.getByRole('button', { name: 'Retry', hidden: true }));
  expect(await screen.findByText('522 rows downloaded')).toBeVisible();
  expect(lines()).toHaveLength(total + 1);
  expect(screen.queryByRole('button', { name: 'Cancel', hidden: true })).toBeNull();
});

test('the export of a list that is read whole asks for nothing', async () => {
  const { asked, answers } = fleet();
  renderConsole(address, {
    ...answers,
    projects_QueryProjectDevices: (input: Input) => {
      asked.push(input);
      return { devices: devices.slice(0, 3) };
    },
  });
  await press();
  await waitFor(() => expect(lines()).toHaveLength(4));
  expect(asked).toHaveLength(1);
});
