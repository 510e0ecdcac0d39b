import type { AnswerTable } from '@corral/client';
import { ActionError, deviceFields, FilterError, type CallInput, type Output } from '@corral/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { firstDevices } from '../../data/queries-projects.ts';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { held, renderConsole } from '../../../test/render-console.tsx';
import { hasConditions } from '../../parts/has-conditions.ts';
import { deviceListQueryOf } from './device-list-query.ts';

type Input = CallInput<'projects_QueryProjectDevices'>;
type Devices = Output<'projects_QueryProjectDevices'>['devices'];

const address = `/projects/${projectId}/devices`;
const page = (name: string, count: number, from = 0): Devices =>
  Array.from({ length: count }, (_, index) => ({
    deviceId: `d_${name}${from + index}`,
    name: `${name}-${from + index}`,
    firstSeen: '2026-10-02T10:00:00Z',
    isConnected: true,
    pendingCertificatesCount: 0,
  }));

/** A hub with 100,000 devices, of which a filter finds those that are named after it. */
function fleet() {
  const asked: Input[] = [];
  const answers: AnswerTable & Pick<Required<AnswerTable>, 'projects_QueryProjectDevices'> = {
    ...projectAnswers,
    projects_GetProjectDetails: () => ({
      projectId,
      name: 'Fleet',
      deviceCount: 100_000,
      connectedDeviceCount: 90_000,
      pendingCertificateCount: 7,
    }),
    projects_QueryProjectDevices: (input: Input) => {
      asked.push(input);
      const { filter, limit = firstDevices, after = '0' } = input;
      if (filter?.includes('typo')) throw new FilterError('there is no field "typo".', 1);
      if (filter !== undefined) return { devices: page(filter.includes('gate') ? 'gate' : 'other', 3) };
      return { devices: page('crane', limit, Number(after)), next: String(Number(after) + limit) };
    },
  };
  return { asked, answers };
}

async function rowCount(): Promise<string | null> {
  return (await screen.findByRole('table', { name: 'Devices' })).getAttribute('aria-rowcount');
}

test('a long list is counted, filtered and sorted by the hub, and read page by page', async () => {
  const { asked, answers } = fleet();
  const { user, address: at } = renderConsole(address, answers);
  expect(await screen.findByText('90,000 of 100,000 connected · 7 certificates waiting')).toBeVisible();
  expect(screen.getByRole('button', { name: /^Disconnected\s*10,000$/ })).toBeVisible();
  const sections = within(screen.getByRole('navigation', { name: 'Project' }));
  expect(sections.getByRole('link', { name: /^Devices\s*100,000$/ })).toBeVisible();
  expect(await rowCount()).toBe('501');
  fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  await waitFor(async () => expect(await rowCount()).toBe('1001'));
  expect(asked.map(({ after }) => after)).toEqual([undefined, '500']);
  fireEvent.change(screen.getByRole('combobox', { name: 'Filter by name or ID' }), {
    target: { value: 'gate' },
  });
  expect(await screen.findByRole('link', { name: /^View\s*gate-2$/ })).toBeVisible();
  expect(screen.queryAllByText('crane-1')).toEqual([]);
  await user.click(screen.getByRole('button', { name: /^Disconnected/ }));
  await waitFor(() => expect(at()).toContain('status=disconnected'));
  const table = await screen.findByRole('table', { name: 'Devices' });
  await user.click(within(table).getByRole('button', { name: 'Name' }));
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ filter: 'not connected (gate)', order: 'name' }));
});

test('a filter of a long list says how many devices match, also more than are shown', async () => {
  const { answers } = fleet();
  const counting = Promise.withResolvers<void>();
  const hub: AnswerTable = {
    ...answers,
    projects_CountProjectDevices: async ({ filter }) => {
      await counting.promise;
      return filter === 'wide' ? { count: 3_412, isAll: true } : { count: 7, isAll: true };
    },
    projects_QueryProjectDevices: (input) => {
      const { filter, limit = firstDevices, after = '0' } = input;
      if (filter !== 'wide') return answers.projects_QueryProjectDevices(input);
      const from = Number(after);
      const isLast = from > 0;
      return { devices: page('wide', isLast ? 20 : limit, from), ...(isLast ? {} : { next: String(limit) }) };
    },
  };
  renderConsole(address, hub);
  const type = async (value: string) =>
    fireEvent.change(await screen.findByRole('combobox', { name: 'Filter by name or ID' }), {
      target: { value },
    });
  expect(await rowCount()).toBe('501');
  expect(screen.queryByText(/match/)).toBeNull();
  await type('gate');
  expect(await screen.findByText('3 devices match')).toBeVisible();
  await type('wide');
  expect(await screen.findByText('500 shown, more match')).toBeVisible();
  expect(screen.queryByText('3 devices match')).toBeNull();
  counting.resolve();
  expect(await screen.findByText('3,412 devices match')).toBeVisible();
  expect(screen.getByRole('button', { name: /^Pending\s*7$/ })).toBeVisible();
  fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('520 devices match')).toBeVisible();
  await type('');
  await waitFor(() => expect(screen.queryByText(/match/)).toBeNull());
});

test('a filter that finds more than the hub counts says so', async () => {
  const { answers } = fleet();
  renderConsole(`${address}?q=wide`, {
    ...answers,
    projects_CountProjectDevices: () => ({ count: 10_000, isAll: false }),
    projects_QueryProjectDevices: (input: Input) =>
      input.filter === 'wide'
        ? { devices: page('wide', input.limit ?? firstDevices, 0), next: '500' }
        : answers.projects_QueryProjectDevices(input),
  });
  expect(await screen.findByText('10,000+ devices match')).toBeVisible();
});

test('a mistake in a filter is shown, and the devices before stay', async () => {
  const { answers } = fleet();
  renderConsole(`${address}?q=typo%3A1`, answers);
  expect(
    await screen.findByText('The filter has a mistake at character 2: there is no field "typo".', {
      selector: 'p',
    }),
  ).toBeVisible();
  expect(await rowCount()).toBe('501');
});

test('a filter that cannot be applied shows why in place of the devices, and can be tried again', async () => {
  const { answers } = fleet();
  let isFull = true;
  const { user } = renderConsole(`${address}?q=gate`, {
    ...answers,
    projects_QueryProjectDevices: (input: Input) => {
      if (isFull && input.filter !== undefined) throw new ActionError('NotReady', 'The store is full.');
      return answers.projects_QueryProjectDevices(input);
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('The store is full.');
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getByRole('combobox', { name: 'Filter by name or ID' })).toHaveValue('gate');
  isFull = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('link', { name: /^View\s*gate-2$/ })).toBeVisible();
});

test.each(['q=gate', 'status=disconnected'])(
  'a list that is opened with %s shows no other devices before the answer',
  async (search) => {
    const { answers } = fleet();
    const filtered = held<Output<'projects_QueryProjectDevices'>>();
    renderConsole(`${address}?${search}`, {
      ...answers,
      projects_QueryProjectDevices: (input: Input) =>
        input.filter === undefined ? answers.projects_QueryProjectDevices(input) : filtered.promise,
    });
    expect(await screen.findByRole('combobox', { name: 'Filter by name or ID' })).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.getByText('Loading Devices')).toBeInTheDocument();
    filtered.resolve({ devices: page('gate', 3) });
    expect(await screen.findByRole('link', { name: /^View\s*gate-2$/ })).toBeVisible();
  },
);

test('a view leaves a filter fewer characters, as many as its own filter has', async () => {
  const { asked, answers } = fleet();
  renderConsole(`${address}?status=disconnected&q=${'x'.repeat(985)}`, answers);
  const sentence = 'The filter has a mistake at character 985: it may have at most 984 characters.';
  expect(await screen.findByText(sentence, { selector: 'p' })).toBeVisible();
  expect(new Set(asked.map(({ filter }) => filter))).toEqual(new Set([undefined, 'not connected']));
});

test('conditions are checked by the hub in a short list too', async () => {
  const { answers } = fleet();
  const short: AnswerTable = {
    ...answers,
    projects_QueryProjectDevices: (input: Input) =>
      input.filter === undefined
        ? { devices: page('crane', 5) }
        : answers.projects_QueryProjectDevices(input),
  };
  renderConsole(`${address}?q=site%3Agate`, short);
  expect(await screen.findByRole('link', { name: /^View\s*gate-2$/ })).toBeVisible();
});

test('views are written as filters and orders', () => {
  expect(deviceListQueryOf({})).toEqual({});
  expect(deviceListQueryOf({ certs: 'pending', q: 'a or b', sort: '-pending' })).toEqual({
    filter: 'cert:pending (a or b)',
    order: '-pending',
  });
  expect(deviceListQueryOf({ q: 'a or b' })).toEqual({ filter: 'a or b' });
  // The table sorts by the words Connected and Disconnected.
  expect(deviceListQueryOf({ sort: 'status' })).toEqual({ order: '-status' });
  expect(deviceListQueryOf({ sort: '-status' })).toEqual({ order: 'status' });
  expect(
    ['site:', 'a:1', 'has:name', 'offline>7d'].map((filter) => hasConditions(filter, deviceFields)),
  ).toEqual([true, true, true, true]);
});

test('a device of a long list is renamed, and more can be loaded before the hub has answered', async () => {
  const { answers } = fleet();
  const answer = held<Output<'devices_SetDeviceName'>>();
  const { user } = renderConsole(address, { ...answers, devices_SetDeviceName: () => answer.promise });
  await user.click(await screen.findByRole('button', { name: 'Actions for crane-0' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.clear(name);
  await user.type(name, 'gantry{Enter}');
  // Behind the dialog.
  expect(await screen.findByRole('link', { name: /^View\s*gantry$/, hidden: true })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Load more', hidden: true })).toBeInTheDocument();
  answer.resolve({});
  // By its field, because the toast is a dialog too.
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull());
});
