import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { crane, devices, gate, nameless, projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';
import { downloadText } from '../../ui/text/download-text.ts';
import { parseDevicesSearch } from './device-view.ts';
import { chooseInTableMenu, openTableMenu } from '../../../test/table-menu.ts';

vi.mock('../../ui/text/download-text.ts', () => ({ downloadText: vi.fn() }));

const address = `/projects/${projectId}/devices`;
const usual = ['Name', 'Id', 'First Seen', 'Last Seen', 'Status', 'Pending Certificates', 'Actions'];

async function heads(): Promise<(string | null)[]> {
  const table = await screen.findByRole('table', { name: 'Devices' });
  const cells = within(table).getAllByRole('columnheader');
  // The last one is that of the menus.
  return cells.slice(0, -1).map(({ textContent }) => textContent);
}

test('columns are shown and hidden by keyboard, the choice is in the URL, and the default ones come back', async () => {
  const { user, address: at } = renderConsole(address, projectAnswers);
  expect(await heads()).toEqual(usual);
  screen.getByRole('button', { name: 'Options for Devices' }).focus();
  await user.keyboard('{Enter}');
  const menu = within(await screen.findByRole('menu', { name: 'Options for Devices' }));
  expect(menu.getAllByRole('menuitemcheckbox').map(({ textContent }) => textContent)).toEqual([
    'Hostname',
    'Id',
    'First Seen',
    'Last Seen',
    'Status',
    'Pending Certificates',
    'Labels',
  ]);
  const hostname = menu.getByRole('menuitemcheckbox', { name: 'Hostname' });
  await user.keyboard('{Home}{ArrowDown}{ArrowDown}{ArrowDown}');
  await waitFor(() => expect(hostname).toHaveFocus());
  expect(hostname).toHaveAttribute('aria-checked', 'false');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(hostname).toHaveAttribute('aria-checked', 'true'));
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(at()).toBe(`${address}?columns=hostname.firstSeen.lastSeen.status.pending`));
  const chosen = ['Name', 'Hostname', 'First Seen', 'Last Seen', 'Status', 'Pending Certificates', 'Actions'];
  await waitFor(async () => expect(await heads()).toEqual(chosen));
  await user.click(menu.getByRole('menuitem', { name: 'Default columns' }));
  await waitFor(() => expect(at()).toBe(address));
  await waitFor(async () => expect(await heads()).toEqual(usual));
});

test('a link shows its columns, and unknown ones are dropped', async () => {
  renderConsole(`${address}?columns=lastSeen.colour`, projectAnswers);
  expect(await heads()).toEqual(['Name', 'Last Seen', 'Actions']);
  const parse = (columns: unknown) => parseDevicesSearch({ columns })['columns'];
  expect(parse('colour')).toBeUndefined();
  expect(parse('pending.status.id.lastSeen.firstSeen')).toBeUndefined();
  expect(parse('status.id.name')).toBe('id.status');
  expect(parse('none')).toBe('none');
});

test('a device was last seen now, at a time or never, and the list is sorted by that also where it is hidden', async () => {
  const listed = devices.map((device) => ({
    ...device,
    ...(device.deviceId === nameless ? { isConnected: false } : {}),
    ...(device.deviceId === gate ? { lastSeenAt: '2026-10-05T10:00:00Z' } : {}),
    ...(device.deviceId !== gate && device.deviceId !== nameless
      ? { lastSeenAt: '2026-10-06T10:00:00Z' }
      : {}),
  }));
  const answers = { ...projectAnswers, projects_QueryProjectDevices: () => ({ devices: listed }) };
  const { user } = renderConsole(`${address}?columns=lastSeen&sort=lastSeen`, answers);
  const rows = async () =>
    within(await screen.findByRole('table', { name: 'Devices' }))
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent);
  const [first, second, third] = await rows();
  expect(first).toContain('north-gate');
  expect(second).toMatch(/crane-04.*now/u);
  expect(third).toMatch(/unnamed.*never/u);
  await openTableMenu('Devices');
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Last Seen' }));
  await waitFor(async () => expect(await heads()).toEqual(['Name', 'Actions']));
  expect((await rows())[0]).toContain('north-gate');
  await user.keyboard('{Escape}');
  await user.type(screen.getByRole('combobox'), gate);
  await waitFor(async () => expect(await rows()).toHaveLength(1));
});

test('the export has the columns that are shown', async () => {
  renderConsole(`${address}?columns=status`, projectAnswers);
  await heads();
  await chooseInTableMenu('Devices', 'Download as CSV');
  expect(vi.mocked(downloadText).mock.lastCall?.[2].split('\r\n').slice(0, 2)).toEqual([
    '\uFEFF"Name","Status"',
    '"crane-04","Connected"',
  ]);
});

test('view and filter keep the columns', async () => {
  const { user, address: at } = renderConsole(`${address}?columns=status`, projectAnswers);
  await user.click(await screen.findByRole('button', { name: /^Disconnected/ }));
  await waitFor(() => expect(at()).toContain('status=disconnected'));
  expect(at()).toContain('columns=status');
  await user.type(screen.getByRole('combobox'), 'nobody');
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(at()).toBe(`${address}?columns=status`));
});

test('"Actions (View opens the device)": also where the list is cards, which name when a device was seen first and last', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(width < 40rem)',
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  const { user, address: at } = renderConsole(address, projectAnswers);
  const list = await screen.findByRole('list', { name: 'Devices' });
  const [card] = within(list).getAllByRole('listitem');
  expect(card).toHaveTextContent(/crane-04.*First Seen 2 October 2026.*Last Seen now/u);
  await user.click(within(list).getByRole('link', { name: /^View\s*crane-04$/ }));
  await waitFor(() => expect(at()).toBe(`${address}/${crane}`));
});
