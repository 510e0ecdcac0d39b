import type { Id, Output } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { listedOperation } from '../../../test/operation-answers.ts';
import { crane, projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';

const address = `/projects/${projectId}/overview`;
const nowMs = Date.now();
const atMs = (ms: number) => new Date(ms).toISOString();

/** Four devices: three at Ferry Lane, of which one is off, and one without a site that waits. */
const overview: Output<'projects_GetOverview'> = {
  at: atMs(nowMs),
  groupBy: 'site',
  counts: { devices: 4, connected: 2, disconnected: 1, waiting: 1 },
  silent: 1,
  groups: [
    { value: 'Ferry "Lane"', devices: 3, connected: 2, disconnected: 1, waiting: 0 },
    { devices: 1, connected: 0, disconnected: 0, waiting: 1 },
  ],
  dots: btoa(String.fromCharCode(0b10_00_01_01)),
  needs: [
    { kind: 'WaitingTerminals', count: 1, names: ['north-gate'], since: atMs(nowMs - 60_000) },
    { kind: 'PendingCertificates', count: 1, names: ['north-gate'], since: atMs(nowMs - 3_600_000) },
    { kind: 'FailedRotations', count: 2, names: ['crane', 'quay'], since: atMs(nowMs - 86_400_000) },
    { kind: 'ExpiringTokens', count: 1, names: ['line-2'], until: atMs(nowMs + 86_400_000 * 3) },
  ],
  versions: [
    {
      field: 'app.version',
      values: ['1.5', '1.4', '1.3', '1.2', '1.1'].map((value) => ({ value, devices: 1 })),
      others: 3,
    },
  ],
  labels: ['ring', 'site'],
};

/** A day in which the hub was away for its second five minutes, with two events at its end. */
function historyOf(range: string): Output<'projects_QueryHistory'> {
  const [steps, stepSeconds] = range === 'Day' ? [288, 300] : [168, 3600];
  const fromMs = Math.floor(nowMs / 3_600_000) * 3_600_000 - (steps - 1) * stepSeconds * 1000;
  const values = Array.from({ length: steps }, (_, step) => (step === 1 ? null : 2));
  const none = values.map(() => 0);
  return {
    from: atMs(fromMs),
    stepSeconds,
    watched: values.map((value) => (value === null ? 0 : 1)),
    gaps: [{ from: atMs(fromMs + stepSeconds * 1000), to: atMs(fromMs + 2 * stepSeconds * 1000) }],
    connected: values,
    connectedLow: values,
    connectedHigh: values,
    disconnected: values,
    waiting: values,
    events: {
      Trace: none,
      Debug: none,
      Info: none,
      Warning: [...none.slice(1), 1],
      Error: [...none.slice(1), 1],
      Critical: none,
    },
  };
}

/** A day in which 1.4 gave way to 1.5, without a look in its third hour. */
function versionsOf(): Output<'projects_QueryVersionHistory'> {
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  const inHour = (count: (hour: number) => number) => hours.map((hour) => (hour === 2 ? null : count(hour)));
  return {
    from: atMs(Math.floor(nowMs / 3_600_000) * 3_600_000 - 23 * 3_600_000),
    stepSeconds: 3600,
    fields: [
      {
        field: 'app.version',
        values: [
          { value: '1.0', devices: inHour((hour) => (hour < 12 ? 6 : 0)) },
          { value: '1.5', devices: inHour((hour) => (hour < 12 ? 1 : 7)) },
        ],
        others: inHour(() => 1),
      },
    ],
  };
}

const answers = {
  ...projectAnswers,
  projects_QueryVersionHistory: versionsOf,
  projects_GetOverview: () => overview,
  projects_QueryHistory: ({ range }: { range: string }) => historyOf(range),
  projects_QueryAuditLog: () => ({ events: [] }),
};

test('the sentence, the legend and the groups lead to the devices that they count', async () => {
  renderConsole(address, answers);
  const main = within(await screen.findByRole('main'));
  expect(await main.findByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  const hrefs = main.getAllByRole('link').map((link) => decodeURIComponent(link.getAttribute('href') ?? ''));
  const list = `/projects/${projectId}/devices`;
  expect(main.getByText(/offline longer than an hour/)).toHaveTextContent(
    '2 of 4 connected · 1 offline longer than an hour',
  );
  for (const search of [
    '?status=connected',
    '?q=offline>1h',
    '?status=disconnected&q=-cert:pending',
    '?certs=pending&q=not+connected',
    String.raw`?q=label.site:"Ferry+\"Lane\""`,
    '?q=not+has:label.site',
    '?certs=pending',
    '?q=app.version:1.5',
    '?q=app.version:"1.0"',
    '?q=has:app.version+-app.version:1.5,1.4,"1.0"',
  ])
    expect(hrefs, search).toContain(`${list}${search}`);
  expect(main.getByRole('link', { name: '6 others' })).toBeVisible();
  expect(main.getByRole('link', { name: '0 1.0' })).toBeVisible();
  const project = `/projects/${projectId}`;
  expect(main.getByRole('link', { name: /1 terminal waits for your approval/ })).toHaveAttribute(
    'href',
    `${project}/terminals?state=Waiting`,
  );
  expect(main.getByRole('link', { name: /2 certificate rotations rolled back or expired/ })).toHaveAttribute(
    'href',
    `${project}/devices/rotations?state=Unresolved`,
  );
  expect(main.getByRole('link', { name: /1 token ends within a week/ })).toHaveAttribute(
    'href',
    '/settings/security',
  );
});

test('one stop of the Tab key, then arrows through the dots; Enter opens the device', async () => {
  const { user, address: at } = renderConsole(address, {
    ...answers,
    projects_FindOverviewDevice: ({ index }) => ({
      deviceId: crane,
      name: `dot ${index}`,
      state: 'Connected',
    }),
  });
  const field = await screen.findByRole('img', { name: '2 of 4 devices connected, in 2 groups by site' });
  field.focus();
  expect(await screen.findByText('Ferry "Lane": 2 of 3 connected')).toBeVisible();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(await screen.findByText('dot 1')).toBeVisible();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(at()).toBe(`/projects/${projectId}/devices/${crane}`));
});

test('the range is in the URL and drives both charts; a gap says that the hub was away', async () => {
  const { user, address: at } = renderConsole(address, answers);
  expect(
    await screen.findByRole('img', { name: /^Connected devices in the last 24 hours: between 2 and 2/ }),
  ).toBeVisible();
  expect(screen.getByText(/^the hub was away \d\d:\d\d–\d\d:\d\d$/)).toBeVisible();
  expect(screen.getByRole('img', { name: '2 events in the last 24 hours' })).toBeVisible();
  const errors = within(screen.getByRole('main')).getByRole('link', { name: '1 Error' });
  expect(decodeURIComponent(errors.getAttribute('href') ?? '')).toMatch(
    /\/events\?q=emitted>=\d{4}-\d\d-\d\dT\d\d:\d\d:00Z&severity=Error$/,
  );
  await user.click(screen.getByRole('button', { name: '7 d' }));
  expect(await screen.findByRole('img', { name: /^Connected devices in the last 7 days/ })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Events per 6 hours' })).toBeVisible();
  expect(at()).toBe(`${address}?range=7d`);
});

test('versions are areas over the time, which lead to their devices; an hour without a look is unknown', async () => {
  renderConsole(address, answers);
  const chart = await screen.findByRole('img', { name: 'Devices by app.version in the last 24 hours' });
  const hrefs = [...chart.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');
  expect(hrefs.map((href) => decodeURIComponent(href.slice(href.indexOf('?'))))).toEqual([
    '?q=app.version:1.5',
    '?q=app.version:1.4',
    '?q=app.version:"1.0"',
    '?q=has:app.version+-app.version:1.5,1.4,"1.0"',
  ]);
  const table = screen.getByRole('table', { name: 'Devices by app.version in the last 24 hours' });
  const cells = within(table)
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent));
  expect([cells[1], cells[3], cells.at(-1)]).toEqual([
    ['1', '0', '6', '1'],
    ['no record', 'no record', 'no record', 'no record'],
    ['1', '1', '0', '6'],
  ]);
});

test('the past of a demo is called invented', async () => {
  const inventedUntil = '2026-11-29T07:45:36Z';
  renderConsole(address, {
    ...answers,
    projects_QueryHistory: ({ range }: { range: string }) => ({ ...historyOf(range), inventedUntil }),
  });
  expect(
    await screen.findByText(/^The past before 29 Nov \d\d:45 is invented for this demo\.$/),
  ).toBeVisible();
});

test('nothing that needs a person is one line, and charts that cannot be read say why', async () => {
  renderConsole(address, {
    ...answers,
    projects_GetOverview: () => ({ ...overview, needs: [], versions: [] }),
    projects_QueryHistory: () => {
      throw new Error('broken');
    },
  });
  expect(await screen.findByText('Nothing needs you')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Needs you' })).toBeNull();
  expect(await screen.findAllByRole('button', { name: 'Retry' })).toHaveLength(2);
});

test('a draft needs those who may start it, not who asks for a second person', async () => {
  const draft = (name: string, more: object) => ({
    ...listedOperation(),
    ...more,
    fleetOperationId: `flt_op_${name.repeat(22)}` as Id<'fleetOperation'>,
    name,
    status: 'Draft' as const,
    waitsFor: 'SecondPerson' as const,
  });
  const other = { actor: 'User', kind: 'User', userId: 'u_8KqW2x9RvHy8cBq1sw7Fd4' as Id<'user'> } as const;
  renderConsole(address, {
    ...answers,
    fleet_QueryOperations: ({ status }) => ({
      operations:
        status?.includes('Draft') === true ? [draft('A', {}), draft('B', { createdBy: other })] : [],
    }),
  });
  const asked = await screen.findByText('It needs a second person.');
  expect(asked.closest('a')).toHaveTextContent('B waits for a start');
});

test('without devices the page leads to connecting the first one', async () => {
  renderConsole(address, {
    ...answers,
    projects_GetOverview: () => ({
      ...overview,
      counts: { devices: 0, connected: 0, disconnected: 0, waiting: 0 },
      groups: [],
      dots: '',
    }),
  });
  expect(await screen.findByRole('heading', { name: 'No devices yet' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Connect a device' })).toHaveAttribute(
    'href',
    `/projects/${projectId}/devices#create`,
  );
});
