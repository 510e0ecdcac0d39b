import { render, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { answers as deviceAnswers } from '../test/device-answers.ts';
import { listScreens } from '../test/list-screens.ts';
import { crane, projectId } from '../test/project-answers.ts';
import { renderConsole, signedIn, signedOut } from '../test/render-console.tsx';
import { createQueryClient } from './data/query-client.ts';
import { addRuntimeScripts } from './data/runtime-scripts.ts';
import { stubHub } from './data/stub-hub.ts';
import { CertificateBadge } from './ui/badge/CertificateBadge.tsx';
import { SeverityBadge } from './ui/badge/SeverityBadge.tsx';

/** Expects a table at an address to have these columns, among others. */
async function expectColumns(address: string, columns: readonly string[]): Promise<void> {
  const known = listScreens.find((list) => list.address === address);
  if (known === undefined) throw new Error(`There is no list at ${address}.`);
  renderConsole(address, known.answers(known.rows as never));
  expect(await headsOf(known.table)).toEqual(expect.arrayContaining([...columns]));
}

async function headsOf(table: string): Promise<string[]> {
  const heads = within(await screen.findByRole('table', { name: table })).getAllByRole('columnheader');
  return heads.map(({ textContent }) => textContent);
}

describe('lists', () => {
  const log = ['ID', 'Timestamp', 'Type', 'Actor', 'Data', 'Action/Job'];

  test('"log: project audit log table with ID, Timestamp, Type, Actor, Data, Action/Job."', () =>
    expectColumns(`/projects/${projectId}/log`, log));

  test('"log: event audit log with ID, Timestamp, Type, Actor, Data, Action/Job."', async () => {
    renderConsole('/admin/log', {
      ...signedIn,
      users_GetUserDetails: ({ userId }) => ({ userId, email: 'root@harbour.example', isAdmin: true }),
      audit_QueryAuditLogEvents: () => ({
        events: [
          {
            eventId: 'audit_ev_20261002-1000-aaaaaaa1',
            actor: { actor: 'System', kind: 'System' },
            event: 'users_Created',
            data: {},
            createdAt: '2026-11-01T10:00:00Z',
          },
        ],
      }),
    });
    const [table] = await screen.findAllByRole('table');
    const heads = within(table as HTMLElement).getAllByRole('columnheader');
    expect(heads.map(({ textContent }) => textContent)).toEqual(expect.arrayContaining(log));
  });

  test('"users: table Id, Name, Email, Admin, Actions; New User dialog and delete."', async () => {
    await expectColumns('/admin/users', ['Id', 'Name', 'Email', 'Admin', 'Actions']);
    expect(screen.getByRole('link', { name: 'New User' })).toBeVisible();
  });

  test('"actions: columns ID, Type, Actor, Data, Status."', () =>
    expectColumns('/admin/actions', ['ID', 'Type', 'Actor', 'Data', 'Status']));

  test('"cluster: nodes with Id, Name, Uptime."', () =>
    expectColumns('/admin/cluster', ['Id', 'Name', 'Uptime']));
});

describe('a device', () => {
  const address = `/projects/${projectId}/devices/${crane}`;

  test('"Certificates (First Seen, Status, Fingerprint, Actions; empty text No certificates.; loading text Loading certificates...)"', async () => {
    renderConsole(address, deviceAnswers);
    expect(await headsOf('Certificates')).toEqual(['First Seen', 'Status', 'Fingerprint', 'Actions']);
  });

  test('"Recent Events (severity icon, Emitted At, Message, Category, Attributes; empty text No recent events.; loading text Loading events...)"', async () => {
    renderConsole(address, deviceAnswers);
    const table = await screen.findByRole('table', { name: 'Recent Events' });
    expect(await headsOf('Recent Events')).toEqual(
      expect.arrayContaining(['Emitted At', 'Message', 'Category', 'Attributes']),
    );
    expect(table.querySelector('tbody svg')).not.toBeNull();
  });

  test('"Connections (Connected At, Connected For, Connection Id, Cluster Node showing node name if known; empty text No connections.)"', async () => {
    renderConsole(address, deviceAnswers);
    expect(await headsOf('Connections')).toEqual([
      'Connected At',
      'Connected For',
      'Connection Id',
      'Cluster Node',
    ]);
    expect(await screen.findByText('hub-1')).toBeVisible();
  });
});

test('"Only Active shows as success; others as danger."', () => {
  const toneOf = (status: 'Pending' | 'Active' | 'Rejected' | 'Revoked') =>
    render(<CertificateBadge status={status} />).container.firstElementChild;
  expect(toneOf('Active')).toHaveClass('text-ok');
  for (const status of ['Pending', 'Rejected', 'Revoked'] as const)
    expect(toneOf(status)).toHaveClass('text-danger');
});

test('"Event severity: Trace, Debug (muted), Info, Warning, Error, Critical (Error and Critical as danger)."', () => {
  const toneOf = (severity: 'Trace' | 'Debug' | 'Info' | 'Warning' | 'Error' | 'Critical') =>
    render(<SeverityBadge severity={severity} />).container.firstElementChild;
  for (const severity of ['Trace', 'Debug'] as const) expect(toneOf(severity)).toHaveClass('text-mute');
  expect(toneOf('Info')).toHaveClass('text-denim');
  expect(toneOf('Warning')).toHaveClass('text-warn');
  expect(toneOf('Error')).toHaveClass('text-danger');
  expect(toneOf('Critical')).toHaveClass('bg-danger');
});

describe('at startup', () => {
  const clientOf = (readConfig: () => Promise<never>) =>
    createQueryClient({ hub: stubHub(signedOut, { readConfig }) });

  test('"At startup the product fetches a runtime configuration listing extra scripts (src plus attributes map). Each is appended to the page head. Failure is only logged."', async () => {
    const script = { src: '/metrics-of-visits.js', attributes: { 'data-site': 'harbour' } };
    const config = { scripts: [script], isInsecure: false, isRegistrationOpen: true };
    await addRuntimeScripts(clientOf(async () => config as never));
    const added = document.head.querySelector('script[src="/metrics-of-visits.js"]');
    expect(added).toHaveAttribute('data-site', 'harbour');
    added?.remove();
  });

  test('"Runtime config fetch failure: logged only."', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await addRuntimeScripts(clientOf(() => Promise.reject(new Error('The hub cannot be reached.'))));
    await waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
    warn.mockRestore();
  });
});

test('"Session: empty at start." and "The router is re-evaluated whenever the session changes."', async () => {
  let isIn = false;
  const { user, address } = renderConsole(
    '/projects',
    {
      ...signedIn,
      actor_GetActor: () => (isIn ? signedIn : signedOut).actor_GetActor?.({}) as never,
    },
    { signIn: async () => void (isIn = true) },
  );
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await user.type(await screen.findByLabelText(/Email/i), 'mara@harbour.example');
  await user.type(screen.getByLabelText(/^Password/), 'quiet harbour lantern');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
  expect(address()).toBe('/projects');
});
