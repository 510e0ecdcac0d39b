import type { AnswerTable } from '@corral/client';
import { ActionError } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';

const address = `/projects/${projectId}/tokens`;
const tokenId = 'deployment_id_7KqW2x9RvHy8cBq1sw7Fd4';
const secret = `deployment_${'b'.repeat(66)}` as const;

function open(more: AnswerTable = {}) {
  const tokens = {
    tokens: [
      {
        tokenId,
        name: 'quay',
        createdAt: '2026-10-02T10:00:00Z',
        enrolledDevices: 7,
        flags: { autoAccept: true },
      },
    ],
  } as const;
  return renderConsole(address, {
    ...projectAnswers,
    projects_QueryProjectDeploymentTokens: () => ({ tokens: [...tokens.tokens] }),
    ...more,
  });
}

test('"deployment tokens table with Name, Created At, Token Id, Auto Accept, Actions, plus a New Token dialog": with the last use and the number of devices', async () => {
  open();
  const table = await screen.findByRole('table', { name: 'Tokens' });
  const heads = within(table)
    .getAllByRole('columnheader')
    .map((head) => head.textContent);
  expect(heads).toEqual(['Name', 'Created At', 'Token Id', 'Auto Accept', 'Last Used', 'Devices', 'Actions']);
  expect(table).toHaveTextContent('never');
  expect(table).toHaveTextContent('7');
  expect(screen.getByText(/With Auto Accept, every new device/)).toBeVisible();
});

test('a new token needs a name, has Auto Accept on, and its secret shows once with the agent command', async () => {
  const calls: unknown[] = [];
  const { user } = open({
    projects_CreateDeploymentToken: (input) => {
      calls.push(input);
      return { tokenId, token: secret };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'New Token' }));
  const dialog = await screen.findByRole('dialog', { name: 'New Token' });
  const submit = within(dialog).getByRole('button', { name: 'New Token' });
  expect(submit).toBeDisabled();
  const name = within(dialog).getByRole('textbox', { name: /Name/ });
  await user.type(name, 'x{Backspace}');
  await user.tab();
  expect(within(dialog).getByText('Name must not be empty.')).toBeVisible();
  await user.type(name, 'mast{Enter}');
  await waitFor(() => expect(calls).toEqual([{ projectId, name: 'mast', flags: { autoAccept: true } }]));
  const shown = await screen.findByRole('dialog', { name: 'Deployment token created' });
  expect(within(shown).getByText(secret)).toBeVisible();
  expect(within(shown).getByRole('group', { name: 'agent command' })).toHaveTextContent(
    `CORRAL_AGENT_TOKEN=${secret} node`,
  );
  await user.keyboard('{Escape}');
  expect(screen.getByText(secret)).toBeVisible();
  await user.click(within(shown).getByRole('button', { name: 'I stored it' }));
  await waitFor(() => expect(screen.queryByText(secret)).not.toBeInTheDocument());
});

test('"Deployment token autoAccept toggled by switch.": at once, and rolled back when the hub refuses', async () => {
  const { user } = open({
    projects_SetDeploymentTokenFlags: () => {
      throw new ActionError('Forbidden', 'Only an owner may do this.');
    },
  });
  const toggle = await screen.findByRole('switch', { name: 'Auto Accept of quay' });
  await user.click(toggle);
  expect(await screen.findAllByText('Only an owner may do this.')).not.toHaveLength(0);
  await waitFor(() => expect(toggle).toBeChecked());
});

test('a token is deleted after a confirmation, and not when that is cancelled', async () => {
  const calls: unknown[] = [];
  const { user } = open({ projects_DeleteDeploymentToken: (input) => (calls.push(input), {}) });
  const remove = await screen.findByRole('button', { name: 'Delete token “quay”' });
  await user.click(remove);
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }));
  expect(calls).toEqual([]);
  await user.click(remove);
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete token “quay”' });
  expect(dialog).toHaveTextContent('7 devices were enrolled with this token.');
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(calls).toEqual([{ tokenId }]));
});

test('where the hub counted no further, there are more than 1,000 devices', async () => {
  const token = (id: string, name: string, enrolledDevices: number) =>
    ({
      tokenId: `deployment_id_${id.repeat(22)}`,
      name,
      createdAt: '2026-10-02T10:00:00Z',
      enrolledDevices,
      flags: {},
    }) as const;
  const { user } = open({
    projects_QueryProjectDeploymentTokens: () => ({
      tokens: [token('7', 'quay', 1_001), token('9', 'mast', 1_000)],
    }),
  });
  const shown = async (name: RegExp) => (await screen.findByRole('row', { name })).textContent;
  expect(await shown(/quay/)).toContain('1,000+');
  expect(await shown(/mast/)).toMatch(/1,000(?!\+)/);
  await user.click(screen.getByRole('button', { name: 'Delete token “quay”' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog).toHaveTextContent('More than 1,000 devices were enrolled with this token.');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select all 2' }));
  const bar = within(screen.getByRole('toolbar', { name: 'Actions for the selected rows' }));
  await user.click(bar.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByRole('alertdialog')).toHaveTextContent(
    'More than 2,000 devices were enrolled with these tokens.',
  );
});

test('Auto Accept of selected tokens is switched together, and Undo switches back those that changed', async () => {
  const calls: unknown[] = [];
  const token = (id: string, name: string, autoAccept: boolean) =>
    ({
      tokenId: `deployment_id_${id.repeat(22)}`,
      name,
      createdAt: '2026-10-02T10:00:00Z',
      flags: { autoAccept },
    }) as const;
  const [quay, mast] = [token('7', 'quay', true), token('9', 'mast', false)];
  const { user } = open({
    projects_QueryProjectDeploymentTokens: () => ({ tokens: [quay, mast] }),
    projects_SetDeploymentTokenFlags: (input) => (calls.push(input), {}),
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 2' }));
  const bar = within(screen.getByRole('toolbar', { name: 'Actions for the selected rows' }));
  await user.click(bar.getByRole('button', { name: 'Auto Accept off' }));
  const dialog = within(
    await screen.findByRole('alertdialog', { name: 'Switch Auto Accept off for 1 token' }),
  );
  await user.click(dialog.getByRole('button', { name: 'Switch off' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(calls).toEqual([
      { tokenId: quay.tokenId, flags: { autoAccept: false } },
      { tokenId: quay.tokenId, flags: { autoAccept: true } },
    ]),
  );
});

test('tokens that were switched before a refusal can be switched back', async () => {
  const calls: unknown[] = [];
  const token = (id: string, name: string) =>
    ({
      tokenId: `deployment_id_${id.repeat(22)}`,
      name,
      createdAt: '2026-10-02T10:00:00Z',
      flags: { autoAccept: true },
    }) as const;
  const [quay, mast] = [token('7', 'quay'), token('9', 'mast')];
  const { user } = open({
    projects_QueryProjectDeploymentTokens: () => ({ tokens: [quay, mast] }),
    projects_SetDeploymentTokenFlags: (input) => {
      if (input.tokenId === mast.tokenId) throw new ActionError('Invalid', 'It is locked.');
      calls.push(input);
      return {};
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 2' }));
  await user.click(screen.getByRole('button', { name: 'Auto Accept off' }));
  const dialog = within(
    await screen.findByRole('alertdialog', { name: 'Switch Auto Accept off for 2 tokens' }),
  );
  await user.click(dialog.getByRole('button', { name: 'Switch off' }));
  expect(await dialog.findByText('1 of 2 failed: mast.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('Auto Accept is off for 1 token')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(calls).toEqual(
      [false, true].map((autoAccept) => ({ tokenId: quay.tokenId, flags: { autoAccept } })),
    ),
  );
});

test('a new token may end after some days or devices, and the list says how many are left or why it has ended', async () => {
  const calls: object[] = [];
  const token = { tokenId, createdAt: '2026-10-02T10:00:00Z', flags: {} } as const;
  const { user } = open({
    projects_QueryProjectDeploymentTokens: () => ({
      tokens: [
        { ...token, tokenId: 'deployment_id_1', name: 'batch', maxUses: 10, uses: 7 },
        { ...token, tokenId: 'deployment_id_2', name: 'full', maxUses: 10, uses: 10 },
        { ...token, tokenId: 'deployment_id_3', name: 'over', expiresAt: '2020-01-01T00:00:00Z' },
        { ...token, tokenId: 'deployment_id_4', name: 'free' },
      ],
    }),
    projects_CreateDeploymentToken: (input) => {
      calls.push(input);
      return { tokenId, token: secret };
    },
  });
  const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }));
  expect((await row('batch')).getByText('3 more devices')).toBeVisible();
  expect((await row('full')).getByText('Used up')).toBeVisible();
  expect((await row('over')).getByText('Expired')).toBeVisible();
  expect((await row('free')).queryByText(/^ends/u)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'New Token' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New Token' }));
  await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'mast');
  const uses = dialog.getByRole('textbox', { name: /How many devices/ });
  await user.type(uses, '0');
  await user.tab();
  expect(dialog.getByText('Enter a number from 1 to 9,999,999, or nothing.')).toBeVisible();
  await user.type(uses, '{Backspace}25');
  await user.click(dialog.getByRole('combobox', { name: /Enrols devices/ }));
  await user.click(await screen.findByRole('option', { name: 'For 7 days' }));
  await user.click(dialog.getByRole('button', { name: 'New Token' }));
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]).toMatchObject({ name: 'mast', maxUses: 25, expiresAt: expect.stringMatching(/Z$/) });
});
