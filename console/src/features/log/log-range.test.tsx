import type { AnswerTable } from '@corral/client';
import { ActionError, type AuditLogEvent, type Output } from '@corral/contract';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { adminAnswers, loggedAction } from '../../../test/admin-answers.ts';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { repositoryAnswers, repositoryId } from '../../../test/repository-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';

type Actions = Output<'audit_QueryAuditLogActions'>['actions'];

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const idOf = (number: number) => `20261002-1000-${String(number).padStart(8, 'a')}`;
const events = Array.from({ length: 150 }, (_, number) => ({
  eventId: `audit_ev_${idOf(number)}`,
  actor: { actor: 'System', kind: 'System' },
  event: 'devices_Created',
  data: { name: `device ${number}` },
  createdAt: minutesAgo(number),
})) as unknown as AuditLogEvent[];
const actions = Array.from({ length: 150 }, (_, number) => ({
  ...loggedAction(1, 'devices_DeleteDevice'),
  actionId: `audit_act_${idOf(number)}`,
  createdAt: minutesAgo(number),
})) as Actions;

/** The entries before one of them; `asked` gets a line for each question for the newest ones. */
function pageOf<Entry>(all: readonly Entry[], key: keyof Entry, asked: string[]) {
  return (input: object): Entry[] => {
    const { since, filter, before, limit = 100 } = input as Record<string, string> & { limit?: number };
    if (before === undefined) asked.push(since ?? filter ?? '');
    const start = before === undefined ? 0 : all.findIndex((entry) => entry[key] === before) + 1;
    return all.slice(start, start + limit);
  };
}

const logs: Readonly<Record<string, (asked: string[]) => [path: string, AnswerTable]>> = {
  'a project': (asked) => {
    const page = pageOf(events, 'eventId', asked);
    const answers = { projects_QueryAuditLog: (input: object) => ({ events: page(input) }) };
    return [`/projects/${projectId}/log`, { ...projectAnswers, ...answers }];
  },
  'a repository': (asked) => {
    const page = pageOf(events, 'eventId', asked);
    const answers = { repositories_QueryAuditLogEvents: (input: object) => ({ events: page(input) }) };
    return [`/repositories/${repositoryId}/log`, { ...repositoryAnswers, ...answers }];
  },
  'the instance': (asked) => {
    const page = pageOf(events, 'eventId', asked);
    const answers = { audit_QueryAuditLogEvents: (input: object) => ({ events: page(input) }) };
    return ['/admin/log', { ...adminAnswers, ...answers }];
  },
  'the commands of the instance': (asked) => {
    const page = pageOf(actions, 'actionId', asked);
    const answers = { audit_QueryAuditLogActions: (input: object) => ({ actions: page(input) }) };
    return ['/admin/actions', { ...adminAnswers, ...answers }];
  },
};

test.each(Object.entries(logs))(
  'the log of %s keeps its loaded entries of a range when the hub was unreachable',
  async (_name, open) => {
    const asked: string[] = [];
    const [path, answers] = open(asked);
    let isReachable = true;
    const { stream, router } = renderConsole(`${path}?range=24h`, {
      ...answers,
      actor_GetActor: (input) => {
        if (!isReachable) throw new ActionError('NotReady', 'Unreachable.', { cause: new TypeError() });
        return answers.actor_GetActor?.(input) as Output<'actor_GetActor'>;
      },
    });
    const [table] = await screen.findAllByRole<HTMLTableElement>('table');
    const more = screen.queryByRole('button', { name: /older/ });
    if (more !== null) fireEvent.click(more);
    await waitFor(() => expect(table?.rows).toHaveLength(151));
    await waitFor(() => expect(stream()).toBeDefined());
    act(() => stream()?.onOpen());
    isReachable = false;
    act(() => stream()?.onDown());
    await screen.findByText('Offline');
    isReachable = true;
    const before = asked.length;
    act(() => stream()?.onOpen());
    // The route loads again, with the range as it is then.
    await waitFor(() => expect(asked.length).toBeGreaterThan(before));
    await waitFor(() => expect(router.state.status).toBe('idle'));
    expect(table?.isConnected).toBe(true);
    expect(table?.rows).toHaveLength(151);
  },
);
