import type { CallInput } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { listedAlert, listedRule } from '../../../test/alert-answers.ts';
import { adminAnswers } from '../../../test/admin-answers.ts';
import { crane, projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole, withoutMail } from '../../../test/render-console.tsx';

const project = {
  projectId,
  name: 'Harbour cranes',
  deviceCount: 3,
  deploymentTokenCount: 2,
  memberCount: 1,
} as const;
const address = `/projects/${projectId}/alerts`;

test('a project without rules is offered three, each added by one click', async () => {
  const created: CallInput<'alerts_CreateRule'>[] = [];
  const { user } = renderConsole(address, {
    ...projectAnswers,
    alerts_CreateRule: (input) => {
      created.push(input);
      return { ruleId: 'alert_rule_1' };
    },
  });
  expect(await screen.findByText('A device matches cert:pending for 1 h')).toBeVisible();
  expect(screen.getAllByRole('button', { name: /^Add the rule/u })).toHaveLength(3);
  await user.click(screen.getByRole('button', { name: 'Add the rule “Devices offline for 10 min”' }));
  await waitFor(() =>
    expect(created).toEqual([
      {
        projectId,
        name: 'Devices offline for 10 min',
        condition: { kind: 'Offline', forSecs: 600 },
        severity: 'Warning',
        channels: { mails: 'Owners' },
      },
    ]),
  );
});

test('alerts are acknowledged one by one, those that are selected, and all that fire', async () => {
  const acknowledged: CallInput<'alerts_Acknowledge'>[] = [];
  const { user } = renderConsole(`${address}?severity=Critical`, {
    ...projectAnswers,
    alerts_CountAlerts: () => ({ firing: 900, acknowledged: 1, pending: 0 }),
    alerts_QueryAlerts: () => ({
      alerts: [
        listedAlert(),
        listedAlert({ alertId: 'alert_20261120-1158-AAAAAAA2', subject: 'north-gate' }),
        listedAlert({
          alertId: 'alert_20261120-1157-AAAAAAA3',
          subject: 'mast',
          state: 'Acknowledged',
        }),
      ],
    }),
    alerts_Acknowledge: (input) => {
      acknowledged.push(input);
      return { acknowledged: input.alertIds?.length ?? 900 };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Acknowledge crane-04' }));
  expect(await screen.findByText('1 alert acknowledged')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Acknowledge mast' })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'Select all 3' }));
  await user.click(screen.getByRole('button', { name: 'Acknowledge' }));
  expect(await screen.findByText('2 alerts acknowledged')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Select all that match' }));
  await user.click(screen.getByRole('button', { name: 'Acknowledge' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: 'Acknowledge' }));
  expect(await screen.findByText('900 alerts acknowledged')).toBeVisible();
  expect(acknowledged).toEqual([
    { alertIds: ['alert_20261120-1159-AAAAAAA1'] },
    { alertIds: ['alert_20261120-1159-AAAAAAA1', 'alert_20261120-1158-AAAAAAA2'] },
    { matching: { projectId, severity: 'Critical' } },
  ]);
});

test('the device of an alert is muted for an hour, and members are not offered its rule', async () => {
  const muted: CallInput<'alerts_Mute'>[] = [];
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_GetProjectDetails: () => ({ ...project, isOwner: false }),
    alerts_QueryAlerts: () => ({ alerts: [listedAlert()] }),
    alerts_Mute: (input) => {
      muted.push(input);
      return { muteId: 'alert_mute_1' };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Actions for crane-04' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Mute…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Mute alerts' }));
  await user.click(dialog.getByRole('combobox', { name: 'What' }));
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
    'The device crane-04',
  ]);
  await user.keyboard('{Escape}');
  await user.type(dialog.getByRole('textbox', { name: /^Reason/u }), 'in repair');
  await user.click(dialog.getByRole('button', { name: 'Mute' }));
  await waitFor(() => expect(muted).toHaveLength(1));
  expect(muted[0]).toMatchObject({ projectId, deviceId: crane, reason: 'in repair' });
  const leftMs = Date.parse(muted[0]?.until ?? '') - Date.now();
  expect(leftMs).toBeGreaterThan(3_500_000);
  expect(leftMs).toBeLessThanOrEqual(3_600_000);
});

test('the history shows alerts by day, and a number leads to the alerts that it counts', async () => {
  const asked: CallInput<'alerts_QueryAlerts'>[] = [];
  const { user } = renderConsole(`${address}?tab=history`, {
    ...projectAnswers,
    alerts_QueryAlertDays: () => ({
      from: '2026-11-19T00:00:00Z',
      days: [
        { info: 0, warning: 2, critical: 1 },
        { info: 0, warning: 0, critical: 0 },
      ],
    }),
    alerts_QueryAlerts: (input) => {
      asked.push(input);
      return {
        alerts: [listedAlert({ state: 'Resolved', end: 'Recovered', endedAt: '2026-11-20T13:49:00Z' })],
      };
    },
  });
  expect(await screen.findByRole('img', { name: /^3 alerts in the last 30 days/u })).toBeVisible();
  expect(await screen.findByText('2 h')).toBeVisible();
  await user.click(screen.getByRole('link', { name: '1 Critical' }));
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ severity: 'Critical' }));
  screen.getByRole('img', { name: /^3 alerts/u }).focus();
  await user.keyboard('{ArrowLeft}{Enter}');
  await waitFor(() =>
    expect(asked.at(-1)).toMatchObject({
      states: ['Firing', 'Acknowledged', 'Resolved'],
      firedFrom: '2026-11-19T00:00:00.000Z',
      firedBefore: '2026-11-20T00:00:00.000Z',
    }),
  );
  expect(asked.at(-1)).not.toHaveProperty('severity');
  await user.click(screen.getByRole('button', { name: /^Remove the filter Fired on/u }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /Fired on/u })).toBeNull());
});

test('a rule is composed beside what would fire, keeps what was typed, and is added', async () => {
  const previewed: unknown[] = [];
  const created: CallInput<'alerts_CreateRule'>[] = [];
  const { user, router } = renderConsole(
    `${address}/rules/new`,
    {
      ...projectAnswers,
      projects_QueryWebhooks: () => ({ webhooks: [] }),
      alerts_PreviewRule: ({ condition }) => {
        previewed.push(condition);
        return condition.kind === 'Offline'
          ? { count: 12, names: ['crane-04', 'north-gate'], days: [0, 3] }
          : { count: 0, names: [] };
      },
      alerts_CreateRule: (input) => {
        created.push(input);
        return { ruleId: 'alert_rule_1' };
      },
      alerts_QueryRules: () => ({ rules: created.length === 0 ? [] : [listedRule()] }),
    },
    withoutMail,
  );
  expect(await screen.findByText('12')).toBeVisible();
  expect(screen.getByText('and 10 more')).toBeVisible();
  expect(screen.getByText('It would have fired 3 times.')).toBeVisible();
  expect(screen.getByText(/this hub has no mail server/u)).toBeVisible();
  expect(screen.getByText(/This project has no webhook/u)).toBeVisible();

  await user.click(screen.getByRole('radio', { name: /^A filter finds devices/u }));
  expect(await screen.findByText('Nothing to show yet: Write which devices it is about.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'certificate waits' }));
  expect(await screen.findByText('Nothing would fire now.')).toBeVisible();
  expect(previewed.at(-1)).toEqual({ kind: 'Matching', filter: 'cert:pending', forSecs: 600 });

  await router.navigate({ to: '/projects/$projectId/alerts', params: { projectId } });
  await screen.findByRole('heading', { name: 'Nothing fires' });
  await router.navigate({ to: '/projects/$projectId/alerts/rules/new', params: { projectId } });
  expect(await screen.findByRole('radio', { name: /^A filter finds devices/u })).toBeChecked();
  await user.click(screen.getByRole('radio', { name: /^At once/u }));
  expect(screen.getByRole('checkbox', { name: /^Quiet hours/u })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Add Rule' }));
  await waitFor(() =>
    expect(created).toEqual([
      {
        projectId,
        name: 'Certificates wait',
        condition: { kind: 'Matching', filter: 'cert:pending', forSecs: 600 },
        severity: 'Critical',
        channels: { mails: 'Owners' },
      },
    ]),
  );
  expect(await screen.findByRole('heading', { name: 'Devices offline for 10 min', level: 1 })).toBeVisible();
});

test('a test says whom it reached, and why a receiver did not accept it', async () => {
  let status: 'Waiting' | 'Accepted' = 'Waiting';
  const message = (messageId: 'msg_1' | 'msg_2', rest: object) => ({
    messageId,
    type: 'alert.test',
    at: '2026-11-20T12:00:00Z',
    data: {},
    attempts: 1,
    status: 'Waiting' as const,
    ...rest,
  });
  const webhook = (webhookId: 'hook_1' | 'hook_2', name: string) => ({
    webhookId,
    name,
    url: 'https://ops.example/in',
    format: 'Standard' as const,
    types: [],
    createdBy: { actor: 'System', kind: 'System' } as const,
    createdAt: '2026-11-01T10:00:00Z',
    waiting: 0,
  });
  const { user, stream } = renderConsole(`${address}/rules/alert_rule_1`, {
    ...projectAnswers,
    alerts_QueryRules: () => ({
      rules: [listedRule({ channels: { mails: 'Owners', webhookIds: ['hook_1', 'hook_2'] } })],
    }),
    alerts_PreviewRule: () => ({ count: 0, names: [] }),
    projects_QueryWebhooks: () => ({ webhooks: [webhook('hook_1', 'ops-hook'), webhook('hook_2', 'chat')] }),
    projects_QueryWebhookDeliveries: ({ webhookId }) => ({
      deliveries: [
        webhookId === 'hook_1'
          ? message('msg_1', status === 'Accepted' ? { status, httpStatus: 200 } : { attempts: 0 })
          : message('msg_2', { lastError: 'chat.example did not answer.' }),
      ],
    }),
    alerts_TestRule: () => ({
      mails: 2,
      messages: [
        { webhookId: 'hook_1', messageId: 'msg_1' },
        { webhookId: 'hook_2', messageId: 'msg_2' },
      ],
    }),
  });
  await user.click(await screen.findByRole('button', { name: 'Send a Test' }));
  expect(
    await screen.findByText(
      'E-mails to 2 people, on its way to ops-hook, not accepted by chat: chat.example did not answer.',
    ),
  ).toBeVisible();
  status = 'Accepted';
  stream()?.onChange({ topic: 'webhooks', projectId });
  expect(
    await screen.findByText(
      'E-mails to 2 people, accepted by ops-hook with 200, not accepted by chat: chat.example did not answer.',
    ),
  ).toBeVisible();
});

test('a rule of the instance looks at the hub, and mails to administrators', async () => {
  const created: CallInput<'alerts_CreateRule'>[] = [];
  const { user } = renderConsole('/admin/alerts/rules/new', {
    ...adminAnswers,
    alerts_PreviewRule: () => ({ count: 0, names: [] }),
    alerts_CreateRule: (input) => {
      created.push(input);
      return { ruleId: 'alert_rule_1' };
    },
  });
  const share = await screen.findByRole('textbox', { name: 'Share of a disk that is used (%)' });
  await user.clear(share);
  await user.type(share, '90');
  await user.click(screen.getByRole('button', { name: 'Add Rule' }));
  await waitFor(() =>
    expect(created).toEqual([
      {
        name: 'The hub itself',
        condition: { kind: 'Hub', percent: 90 },
        severity: 'Warning',
        channels: { mails: 'Owners' },
      },
    ]),
  );
});

test('what fires comes first in what needs a person, and the bell counts it over all projects', async () => {
  const { user } = renderConsole(`/projects/${projectId}/devices/${crane}`, {
    ...projectAnswers,
    alerts_CountAlerts: ({ all }) => ({ firing: all === true ? 3 : 1, acknowledged: 0, pending: 0 }),
    alerts_QueryAlerts: ({ all }) => ({
      alerts:
        all === true
          ? [listedAlert({ projectId: 'p_1', projectName: 'Harbour', subject: 'north-gate' })]
          : [listedAlert()],
    }),
  });
  await user.click(await screen.findByRole('button', { name: 'Alerts: 3 fire' }));
  const entry = await screen.findByRole('menuitem', { name: /north-gate: Devices offline/u });
  expect(entry).toHaveAttribute('href', '/projects/p_1/alerts?rule=alert_rule_1');
});
