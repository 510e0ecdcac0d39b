import type { CallInput } from '@corral/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';
import type { OtlpConfig, OtlpStream } from './otlp.ts';

const config: OtlpConfig = {
  enabled: true,
  endpoint: 'https://collector.example/v1/logs',
  headers: { Authorization: '***', 'X-Scope-OrgID': '***' },
  streams: ['events'],
};
const events: OtlpStream = { stream: 'events', lagSecs: 0, sent: 12_345, dropped: 0, setAside: 0 };
const answersOf = (given: OtlpConfig, streams: OtlpStream[] = []) => ({
  ...projectAnswers,
  projects_GetOtlpConfig: () => ({ config: given }),
  projects_GetOtlpStatus: () => ({ streams }),
});

test('an export is set up with a header and streams', async () => {
  const set: CallInput<'projects_SetOtlpConfig'>[] = [];
  const { user } = renderConsole(`/projects/${projectId}/otlp`, {
    ...answersOf({ enabled: false, headers: {} }),
    projects_SetOtlpConfig: (input) => {
      set.push(input);
      return {};
    },
  });
  expect(await screen.findByText(/receivers: \[otlp\]/u)).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Set Up Export' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set Up Export' }));
  await user.type(dialog.getByRole('textbox', { name: /^Endpoint/u }), 'https://collector.example/v1/logs');
  await user.type(dialog.getByRole('textbox', { name: /^Header/u }), 'Authorization');
  await user.type(dialog.getByLabelText(/^Value of header/u), 'Bearer x');
  await user.click(dialog.getByRole('combobox', { name: /^Streams/u }));
  await user.click(await screen.findByRole('option', { name: 'Operations' }));
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Save Export' }));
  await expect
    .poll(() => set)
    .toEqual([
      {
        projectId,
        config: {
          enabled: true,
          endpoint: 'https://collector.example/v1/logs',
          headers: { Authorization: 'Bearer x' },
          streams: ['events', 'operations'],
        },
      },
    ]);
});

test('an export that is changed keeps the values of its headers, loses one and gets another', async () => {
  const set: CallInput<'projects_SetOtlpConfig'>[] = [];
  const { user } = renderConsole(`/projects/${projectId}/otlp`, {
    ...answersOf(config, [events]),
    projects_SetOtlpConfig: (input) => {
      set.push(input);
      return {};
    },
  });
  expect(await screen.findByText('12,345')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Edit Export' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Export' }));
  await user.type(dialog.getByRole('textbox', { name: /^Filter of events/u }), 'category:engine');
  await user.clear(dialog.getByRole('textbox', { name: /^Header 2/u }));
  await user.type(dialog.getByRole('textbox', { name: /^Header 3/u }), 'X-Key');
  await user.type(dialog.getByLabelText(/^Value of header 3/u), 'one');
  await user.click(dialog.getByRole('button', { name: 'Save Export' }));
  const headers = { Authorization: '***', 'X-Key': 'one' };
  await expect
    .poll(() => set)
    .toEqual([{ projectId, config: { ...config, headers, filter: 'category:engine' } }]);
});

test('an export that fails says why and what is lost, and the answer to a test event is shown', async () => {
  const failing = {
    ...events,
    lagSecs: 240,
    dropped: 7,
    setAside: 2,
    lastError: 'collector.example answered with the status 503.',
    lastErrorAt: '2026-11-01T10:00:00Z',
    nextAttemptAt: '2026-11-01T10:05:00Z',
  };
  const { user } = renderConsole(`/projects/${projectId}/otlp`, {
    ...answersOf(config, [failing]),
    projects_SendOtlpTestEvent: () => ({
      isAccepted: false,
      message: 'collector.example answered with the status 401.',
    }),
  });
  expect(await screen.findByText('The collector does not take everything')).toBeVisible();
  expect(screen.getByText('4 min')).toBeVisible();
  expect(screen.getByText('waited for a day, or above 1 GiB')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send Test Event' }));
  expect((await screen.findAllByText('collector.example answered with the status 401.'))[0]).toBeVisible();
});
