import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answers, details } from '../../../../test/device-answers.ts';
import { crane, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';

const address = `/projects/${projectId}/devices/${crane}`;

const property = (name: string, value: unknown, isProtected = false) => ({
  [name]: { name, value, protected: isProtected, version: 1, lastUpdated: '2026-10-02T10:00:00Z' } as never,
});

async function card(): Promise<HTMLElement> {
  const heading = await screen.findByRole('heading', { level: 2, name: 'Properties' });
  return heading.closest('section') ?? document.body;
}

test('the properties of a device show by name, with what is protected and what is too long', async () => {
  renderConsole(address, {
    ...answers,
    devices_QueryDeviceProperties: () => ({
      properties: {
        ...property('com.example.mode', { speed: 3 }, true),
        ...property('app', 'ready'),
        ...property('dev.nexigon.commands', 'x'.repeat(20_000)),
      },
    }),
  });
  const shown = within(await card());
  expect(await shown.findByText('ready')).toBeVisible();
  expect(shown.getAllByRole('term').map((term) => term.textContent)).toEqual([
    expect.stringMatching(/^app/),
    expect.stringMatching(/^com\.example\.mode.*Protected$/),
    expect.stringMatching(/^dev\.nexigon\.commands/),
  ]);
  expect(shown.getByText(/"speed": 3/)).toBeVisible();
  expect(shown.getByText('Too long to be shown here (19.5 KiB). The command line prints it.')).toBeVisible();
});

test('integers that no number can hold have all digits in properties and metadata', async () => {
  const at = 1764252000123456789n as never;
  renderConsole(address, {
    ...answers,
    devices_GetDeviceDetails: () => ({ ...details, metadata: { serial: at, more: { serials: [at] } } }),
    devices_QueryDeviceProperties: () => ({
      properties: { ...property('at', at), ...property('times', { started: at, stopped: null }) },
    }),
  });
  const shown = within(await card());
  expect(await shown.findByText('1764252000123456789')).toBeVisible();
  expect(shown.getByText(/"started": 1764252000123456789,/)).toBeVisible();
  const metadata = within(screen.getByRole('heading', { name: 'Metadata' }).closest('section')!);
  expect(metadata.getByText('1764252000123456789')).toBeVisible();
  expect(metadata.getByText(/\[\s+1764252000123456789\s+\]/)).toBeVisible();
});

test('more than ten properties show on demand', async () => {
  const many = Array.from({ length: 12 }, (_, index) => property(`p${10 + index}`, index));
  const { user } = renderConsole(address, {
    ...answers,
    devices_QueryDeviceProperties: () => ({ properties: Object.assign({}, ...many) }),
  });
  const shown = within(await card());
  await user.click(await shown.findByRole('button', { name: 'Show 2 more' }));
  expect(shown.getAllByRole('term')).toHaveLength(12);
  await user.click(shown.getByRole('button', { name: 'Show fewer' }));
  expect(shown.getAllByRole('term')).toHaveLength(10);
});

test('a device without properties says what sets them', async () => {
  renderConsole(address, answers);
  expect(await within(await card()).findByText(/^No properties\./)).toBeVisible();
});
