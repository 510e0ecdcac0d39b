import type { AnswerTable } from '@corral/client';
import { ActionError, type AuditLogEvent } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { adminAnswers, loggedAction } from '../../../test/admin-answers.ts';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole, userId } from '../../../test/render-console.tsx';
import { logPageSize } from './use-log-pages.ts';

const address = `/projects/${projectId}/log`;
const field = () => screen.findByRole('combobox', { name: 'Filter entries' });

/** At once, so that a slow computer asks for nothing else. */
async function enter(user: UserEvent, text: string): Promise<void> {
  await user.click(await field());
  await user.paste(text);
}

function entry(number: number, event = 'devices_Created'): AuditLogEvent {
  return {
    eventId: `audit_ev_20261002-1000-${String(number).padStart(8, 'a')}`,
    actor: { actor: 'System', kind: 'System' },
    event,
    data: { projectId, name: `pump${number}x` },
    createdAt: new Date(Date.now() - number * 60_000).toISOString(),
  } as AuditLogEvent;
}

const enrolments = Array.from({ length: 520 }, (_, number) => entry(number));
const invited = entry(520, 'projects_InvitationCreated');

/** A hub whose log has an invitation before 520 enrolments. The answer to a filter comes from `found`. */
function hub(found: (filter: string) => AuditLogEvent[] = () => [invited]) {
  const filters: string[] = [];
  const answers: AnswerTable = {
    ...projectAnswers,
    projects_QueryAuditLog: ({ filter, before }) => {
      if (filter !== undefined) filters.push(filter);
      if (filter !== undefined) return { events: found(filter) };
      const all = [...enrolments, invited];
      const start = before === undefined ? 0 : all.findIndex(({ eventId }) => eventId === before) + 1;
      return { events: all.slice(start, start + logPageSize) };
    },
  };
  return { filters, answers };
}

/** The types that the table lists. */
async function types(): Promise<(string | null)[]> {
  const table = await screen.findByRole('table', { name: 'Log' });
  return within(table)
    .getAllByTitle(/^Only .*_/)
    .map(({ textContent }) => textContent);
}

const said = (sentence: string) => screen.findByText(sentence, { selector: 'p' });

describe('a long log', () => {
  test('words find entries that are not loaded, by their type', async () => {
    const { filters, answers } = hub();
    const { user } = renderConsole(address, answers);
    await enter(user, 'InvitationCreated');
    await waitFor(async () => expect(await types()).toEqual(['projects_InvitationCreated']));
    expect(filters).toEqual(['InvitationCreated']);
    expect(
      await said('Words are searched in all columns of the newest 100, and in the types of older ones.'),
    ).toBeVisible();
  });

  test('words find what is loaded in any column, and older entries by their type', async () => {
    const { answers } = hub(() => []);
    const { user } = renderConsole(address, answers);
    await enter(user, 'System pump77x');
    await waitFor(async () => expect(await types()).toHaveLength(1));
    expect(screen.getByRole('row', { name: /pump77x/ })).toBeVisible();
  });

  test('a number in the URL is searched with all its digits', async () => {
    const { filters, answers } = hub();
    renderConsole(`${address}?q=12345678901234567890`, answers);
    expect(await field()).toHaveValue('12345678901234567890');
    await waitFor(() => expect(filters).toEqual(['12345678901234567890']));
  });

  test('conditions are checked by the hub, together with the other filters', async () => {
    const { filters, answers } = hub();
    renderConsole(`${address}?type=projects_InvitationCreated&q=actor:System created>=1h`, answers);
    await waitFor(async () => expect(await types()).toEqual(['projects_InvitationCreated']));
    expect(filters).toContain('event:"projects_InvitationCreated" (actor:System created>=1h)');
    expect(screen.queryByText(/^Words are/)).not.toBeInTheDocument();
  });

  test('words beside conditions are searched in the types, as the page says', async () => {
    renderConsole(`${address}?q=actor:System invitation`, hub().answers);
    expect(await said('Beside conditions, words are searched in the types only.')).toBeVisible();
  });

  test('a mistake is shown at its place, and the entries stay', async () => {
    const { filters, answers } = hub();
    const { user } = renderConsole(address, answers);
    await enter(user, 'evnt:x');
    const sentence = 'The filter has a mistake at character 1: there is no field "evnt". Did you mean event?';
    expect(await said(sentence)).toBeVisible();
    expect(document.querySelector('mark')).toHaveTextContent('evnt');
    expect(await field()).toHaveAccessibleDescription(expect.stringContaining(sentence));
    expect(await types()).toHaveLength(logPageSize);
    expect(filters).toEqual([]);
  });

  test('a search that fails says why, and the filter stays', async () => {
    const { filters, answers } = hub(() => {
      throw new ActionError('Invalid', 'The search takes too long: narrow it.');
    });
    renderConsole(`${address}?q=actor:System`, answers);
    await waitFor(() => expect(screen.getByText(/The search takes too long/)).toBeVisible());
    expect(await field()).toHaveValue('actor:System');
    expect(filters).toHaveLength(1);
  });

  test('an open entry that only the hub has found shows without loading the log up to it', async () => {
    const { answers } = hub();
    renderConsole(`${address}?q=event:projects_InvitationCreated&entry=${invited.eventId}`, answers);
    expect(await screen.findByRole('dialog', { name: /invited/ })).toBeVisible();
  });
});

test('words in a log that is wholly loaded are searched in all columns, without the hub', async () => {
  const filters: unknown[] = [];
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryAuditLog: ({ filter }) => {
      filters.push(filter);
      return { events: [entry(1), entry(2)] };
    },
  });
  await enter(user, 'pump2x');
  await waitFor(async () => expect(await types()).toHaveLength(1));
  expect(filters).toEqual([undefined]);
  expect(screen.queryByText(/^Words are/)).not.toBeInTheDocument();
});

test('the logs of the instance take the same filter', async () => {
  const asked: unknown[] = [];
  const answers: AnswerTable = {
    ...adminAnswers,
    audit_QueryAuditLogEvents: (input) => {
      asked.push(input);
      return { events: [invited] };
    },
    audit_QueryAuditLogActions: (input) => {
      asked.push(input);
      return { actions: [loggedAction(1, 'projects_CreateProject')] };
    },
  } as AnswerTable;
  const log = renderConsole(`/admin/log?actor=User:${userId}&q=event:projects_InvitationCreated`, answers);
  await waitFor(() =>
    expect(asked).toContainEqual({
      actor: `User:${userId}`,
      filter: 'event:projects_InvitationCreated',
      limit: logPageSize,
    }),
  );
  log.unmount();
  renderConsole('/admin/actions?q=status:failed', answers);
  await waitFor(() => expect(asked).toContainEqual({ filter: 'status:failed', limit: logPageSize }));
  expect(await screen.findByRole('combobox', { name: 'Filter commands' })).toBeVisible();
});
