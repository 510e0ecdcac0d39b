import { ActionError } from '@corral/contract';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { devices, gate, nameless, projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';
import { isInView, parseDevicesSearch, viewOf } from './device-view.ts';
import { chooseInTableMenu } from '../../../test/table-menu.ts';

const address = `/projects/${projectId}/devices`;

async function rowsOf(): Promise<HTMLElement[]> {
  const table = await screen.findByRole('table', { name: 'Devices' });
  return within(table).getAllByRole('row').slice(1);
}

test('"Columns Name (unnamed if empty), Id, First Seen, Status (Connected or Disconnected), Pending Certificates (highlighted when above 0), Actions (View opens the device)."', async () => {
  renderConsole(address, projectAnswers);
  const table = await screen.findByRole('table', { name: 'Devices' });
  const heads = within(table)
    .getAllByRole('columnheader')
    .map((head) => head.textContent);
  expect(heads.slice(0, 7)).toEqual([
    'Name',
    'Id',
    'First Seen',
    'Last Seen',
    'Status',
    'Pending Certificates',
    'Actions',
  ]);
  const [first, second, third] = await rowsOf();
  expect(first).toHaveTextContent('crane-04');
  expect(first).toHaveTextContent('Connected');
  expect(second).toHaveTextContent('Disconnected');
  expect(
    within(second as HTMLElement)
      .getByText('2')
      .closest('.bg-warn-wash'),
  ).not.toBeNull();
  expect(
    within(first as HTMLElement)
      .getByText('0')
      .closest('.bg-warn-wash'),
  ).toBeNull();
  expect(third).toHaveTextContent('unnamed');
  expect(screen.getByText('2 of 3 connected · 2 certificates waiting')).toBeVisible();
});

test('View and a click anywhere on the row open the device', async () => {
  const { user, address: at } = renderConsole(address, projectAnswers);
  const [, row] = await rowsOf();
  expect(screen.getByRole('link', { name: /^View\s*north-gate$/ })).toHaveAttribute(
    'href',
    `${address}/${gate}`,
  );
  await user.click(within(row as HTMLElement).getAllByText('north-gate')[0] as HTMLElement);
  await waitFor(() => expect(at()).toBe(`${address}/${gate}`));
});

test('a click that selects text opens nothing', async () => {
  const { address: at } = renderConsole(address, projectAnswers);
  const [row] = await rowsOf();
  const name = within(row as HTMLElement).getAllByText('crane-04')[0] as HTMLElement;
  window.getSelection()?.selectAllChildren(name);
  fireEvent.click(name);
  expect(at()).toBe(address);
});

test('filter, view and sort order are in the URL, and invalid values are dropped', async () => {
  renderConsole(`${address}?certs=pending&sort=-name`, projectAnswers);
  expect(await rowsOf()).toHaveLength(1);
  expect(screen.getByRole('button', { name: /^Pending\s*1$/ })).toHaveAttribute('aria-pressed', 'true');
  expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending');
  expect(parseDevicesSearch({ status: 'asleep', sort: '-colour', q: '  ', certs: 7 })).toEqual({});
  expect(parseDevicesSearch({ status: 'connected', certs: 'pending', q: 12 })).toEqual({
    certs: 'pending',
    q: '12',
  });
});

test('chips and typing change the URL, and an empty result offers to clear the filters', async () => {
  const { user, address: at } = renderConsole(address, projectAnswers);
  await user.click(await screen.findByRole('button', { name: /^Disconnected\s*1$/ }));
  await waitFor(() => expect(at()).toBe(`${address}?status=disconnected`));
  await waitFor(async () => expect(await rowsOf()).toHaveLength(1));
  await user.type(screen.getByRole('combobox'), 'crane');
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(at()).toBe(address));
  await waitFor(async () => expect(await rowsOf()).toHaveLength(3));
  await user.type(screen.getByRole('combobox'), 'unnamed');
  await waitFor(async () => expect(await rowsOf()).toHaveLength(1));
  await waitFor(() => expect(at()).toBe(`${address}?q=unnamed`));
});

test('each view includes its devices', () => {
  const shown = (search: Record<string, unknown>) =>
    devices.filter((device) => isInView(device, viewOf(parseDevicesSearch(search)))).length;
  expect([shown({}), shown({ status: 'connected' }), shown({ certs: 'pending' })]).toEqual([3, 2, 1]);
});

test('a device is renamed from its row, and deleted only after its name was typed', async () => {
  const calls: unknown[] = [];
  const { user } = renderConsole(address, {
    ...projectAnswers,
    devices_SetDeviceName: (input) => (calls.push(input), {}),
    devices_DeleteDevice: (input) => (calls.push(input), {}),
  });
  await rowsOf();
  await user.click(screen.getByRole('button', { name: 'Actions for north-gate' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.clear(name);
  await user.type(name, 'south-gate{Enter}');
  await waitFor(() => expect(calls).toEqual([{ deviceId: gate, name: 'south-gate' }]));
  await user.click(screen.getByRole('button', { name: 'Actions for north-gate' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete device “north-gate”' });
  const verb = () => within(dialog).getByRole('button', { name: /^Delete/ });
  expect(verb()).toHaveAttribute('aria-disabled', 'true');
  await user.type(within(dialog).getByRole('textbox'), 'north-gate');
  await user.click(verb());
  await waitFor(() => expect(calls[1]).toEqual({ deviceId: gate }));
});

test('a device without a name is "unnamed", with its hostname, by which it is found and which renaming suggests', async () => {
  const hostname = 'rpi-4f2a';
  const named = devices.map((device) => (device.deviceId === nameless ? { ...device, hostname } : device));
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryProjectDevices: () => ({ devices: named }),
  });
  const [, , third] = await rowsOf();
  expect(within(third as HTMLElement).getByText('unnamed')).toBeVisible();
  expect(within(third as HTMLElement).getAllByText(hostname)[0]).toBeVisible();
  expect(third).toHaveTextContent(`unnamed ${hostname}`);
  await user.click(screen.getByRole('button', { name: `Actions for ${hostname}` }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveAttribute('placeholder', hostname);
  await user.keyboard('{Escape}');
  await user.type(screen.getByRole('combobox'), 'rpi');
  await waitFor(() => expect(screen.getAllByRole('link', { name: /^View/ })).toHaveLength(1));
});

test('"Device rename: sends whatever was typed": also what is too long, and a refusal keeps the dialog open, with what was typed and the reason', async () => {
  const sent: (string | undefined)[] = [];
  const { user } = renderConsole(address, {
    ...projectAnswers,
    devices_SetDeviceName: ({ name }) => {
      sent.push(name);
      throw new ActionError('Invalid', 'The name is too long.');
    },
  });
  await rowsOf();
  await user.click(screen.getByRole('button', { name: 'Actions for north-gate' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const field = await screen.findByRole('textbox', { name: 'Name' });
  await user.clear(field);
  await user.paste('x'.repeat(201));
  await user.keyboard('{Enter}');
  expect(await screen.findByText('The name is too long.')).toBeVisible();
  expect(sent).toEqual(['x'.repeat(201)]);
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('x'.repeat(201));
});

test('a device added while the pointer is over the list waits behind a pill', async () => {
  let listed = devices.slice(1);
  const { user, stream } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryProjectDevices: () => ({ devices: listed }),
  });
  const [row] = await rowsOf();
  await user.hover(row as HTMLElement);
  listed = devices;
  act(() => stream()?.onChange({ topic: 'devices', projectId }));
  await user.click(await screen.findByRole('button', { name: '1 new device' }));
  expect(await rowsOf()).toHaveLength(3);
  expect((await rowsOf())[0]).toHaveClass('motion-safe:animate-tint');
});

test('a device that the filter finds meanwhile waits too, and devices of another filter do not', async () => {
  let found = devices.slice(1);
  const { user, stream } = renderConsole(`${address}?q=hostname%3Acrane`, {
    ...projectAnswers,
    projects_QueryProjectDevices: ({ filter }) => ({
      devices: filter === 'hostname:crane' ? found : devices,
    }),
  });
  await waitFor(async () => expect(await rowsOf()).toHaveLength(2));
  await user.hover((await rowsOf())[0] as HTMLElement);
  found = devices;
  act(() => stream()?.onChange({ topic: 'devices', projectId }));
  const pill = await screen.findByRole('button', { name: '1 new device' });
  expect(await rowsOf()).toHaveLength(2);
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'hostname:gate' } });
  await waitFor(() => expect(pill).not.toBeInTheDocument());
  await waitFor(async () => expect(await rowsOf()).toHaveLength(3));
});

test('the copied link contains filter and sort order', async () => {
  Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true });
  const { user } = renderConsole(`${address}?status=connected&sort=name`, projectAnswers);
  await rowsOf();
  await chooseInTableMenu('Devices', 'Copy link to this view');
  expect(await navigator.clipboard.readText()).toBe(
    `${window.location.origin}${address}?status=connected&sort=name`,
  );
  await user.click(screen.getByRole('button', { name: /^Disconnected/ }));
  await waitFor(() => expect(screen.queryByText('crane-04')).toBeNull());
  await chooseInTableMenu('Devices', 'Copy link to this view');
  expect(await navigator.clipboard.readText()).toMatch(/\?.*status=disconnected/);
});
