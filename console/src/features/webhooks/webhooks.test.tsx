import type { CallInput } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';
import type { Delivery, Webhook } from './webhooks.ts';

const webhook: Webhook = {
  webhookId: 'hook_1',
  name: 'Tickets',
  url: 'https://tickets.example/in',
  types: ['devices_*'],
  format: 'Standard',
  createdBy: { actor: 'System', kind: 'System' },
  createdAt: '2026-11-01T10:00:00Z',
  waiting: 0,
};
const delivery: Delivery = {
  messageId: 'msg_20261101-1000-aaaaaaaa',
  type: 'devices_Created',
  status: 'Failed',
  at: '2026-11-01T10:00:00Z',
  data: { deviceId: 'd_1' },
  attempts: 11,
  httpStatus: 503,
  lastError: 'tickets.example answered with the status 503.',
};

test('a webhook is made with a choice of events, and its secret is shown once', async () => {
  const created: CallInput<'projects_CreateWebhook'>[] = [];
  const { user } = renderConsole(`/projects/${projectId}/webhooks`, {
    ...projectAnswers,
    projects_QueryWebhooks: () => ({ webhooks: [] }),
    projects_CreateWebhook: (input) => {
      created.push(input);
      return { webhookId: 'hook_1', secret: 'whsec_shownOnce' };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'New Webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New Webhook' }));
  await user.type(dialog.getByRole('textbox', { name: /^Name/u }), 'Tickets');
  await user.type(dialog.getByRole('textbox', { name: /^URL/u }), 'https://tickets.example/in');
  await user.click(dialog.getByRole('combobox', { name: /^Events/u }));
  await user.click(await screen.findByRole('option', { name: 'All of devices' }));
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'New Webhook' }));
  expect(await screen.findByText('whsec_shownOnce')).toBeVisible();
  expect(created).toEqual([
    {
      projectId,
      name: 'Tickets',
      url: 'https://tickets.example/in',
      format: 'Standard',
      types: ['devices_*'],
    },
  ]);
});

test('a webhook without events is made for alert rules alone, and the list says so', async () => {
  const created: CallInput<'projects_CreateWebhook'>[] = [];
  const { user } = renderConsole(`/projects/${projectId}/webhooks`, {
    ...projectAnswers,
    projects_QueryWebhooks: () => ({ webhooks: [{ ...webhook, types: [] }] }),
    projects_CreateWebhook: (input) => {
      created.push(input);
      return { webhookId: 'hook_2' };
    },
  });
  expect(await screen.findByText('None; it is for alert rules')).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'New Webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New Webhook' }));
  await user.type(dialog.getByRole('textbox', { name: /^Name/u }), 'Pager');
  await user.type(dialog.getByRole('textbox', { name: /^URL/u }), 'https://ntfy.example/barns');
  await user.click(dialog.getByRole('combobox', { name: /^Format/u }));
  await user.click(await screen.findByRole('option', { name: 'ntfy (URL of the topic)' }));
  await user.click(dialog.getByRole('button', { name: 'New Webhook' }));
  await waitFor(() =>
    expect(created).toEqual([
      { projectId, name: 'Pager', url: 'https://ntfy.example/barns', format: 'Ntfy', types: [] },
    ]),
  );
});

test('a webhook that fails says why, shows its messages, and sends one again', async () => {
  const again: unknown[] = [];
  const { user } = renderConsole(`/projects/${projectId}/webhooks/hook_1`, {
    ...projectAnswers,
    projects_QueryWebhooks: () => ({
      webhooks: [{ ...webhook, failingSince: '2026-11-01T10:00:00Z', lastError: delivery.lastError }],
    }),
    projects_QueryWebhookDeliveries: () => ({ deliveries: [delivery] }),
    projects_ReplayWebhookDelivery: (input) => {
      again.push(input);
      return {};
    },
  });
  expect(await screen.findByText(/No message has been accepted since/u)).toBeVisible();
  const table = within(await screen.findByRole('table', { name: 'Messages' }));
  await user.click(await table.findByText('devices_Created'));
  expect(await screen.findByRole('group', { name: 'message' })).toHaveTextContent('"deviceId": "d_1"');
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1)!);
  await user.click(table.getByRole('button', { name: /devices_Created/u }));
  await user.click(await screen.findByRole('menuitem', { name: 'Send Again' }));
  await waitFor(() => expect(again).toEqual([{ webhookId: 'hook_1', messageId: delivery.messageId }]));
});
