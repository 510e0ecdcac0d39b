import { ActionError } from '@corral/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole, signedIn, userId } from '../../../../test/render-console.tsx';

const setting = { doc: 'What it does.', default: null, isSet: false, isSecret: false, value: null };
const details = [
  { ...setting, key: 'registration', label: 'Registration', value: 'open' },
  { ...setting, key: 'banner', label: 'The banner' },
  {
    ...setting,
    key: 'termsUrl',
    label: 'The link',
    value: 'https://hub.example/terms',
    configuredBy: 'CORRAL_TERMS_URL',
  },
  { ...setting, key: 'smtpUrl', label: 'The mail server', isSecret: true, value: 'smtps://mail.example' },
];

const asAdmin = {
  ...signedIn,
  users_GetUserDetails: () => ({ userId, email: 'mara@harbour.example', isAdmin: true }) as const,
  instance_GetInstanceSettingsRaw: () => ({ settings: {}, details }),
};

test('a setting is saved; a refusal is shown at its field, and what was typed stays', async () => {
  const set: unknown[] = [];
  const { user } = renderConsole('/admin/settings', {
    ...asAdmin,
    instance_SetInstanceSettingRaw: (input) => {
      if (input.value === 'no') throw new ActionError('Invalid', 'The banner must be longer.');
      set.push(input);
      return {};
    },
  });
  const banner = await screen.findByRole('textbox', { name: /Banner/ });
  const card = within(banner.closest('section') ?? document.body);
  expect(card.getByRole('button', { name: 'Save' })).toBeDisabled();
  await user.type(banner, 'no{Enter}');
  expect(await screen.findByText('The banner must be longer.')).toBeVisible();
  expect(banner).toHaveValue('no');
  await user.type(banner, 't today{Enter}');
  expect(await screen.findByText('Banner and links: saved')).toBeVisible();
  expect(set).toEqual([{ key: 'banner', value: 'not today' }]);
});

test('what the configuration sets is shown and disabled, a secret is not shown', async () => {
  renderConsole('/admin/settings', asAdmin);
  const terms = await screen.findByRole('textbox', { name: /Terms of Service/ });
  expect(terms).toHaveValue('https://hub.example/terms');
  expect(terms).toBeDisabled();
  expect(screen.getByText('Set by CORRAL_TERMS_URL. It can only be changed there.')).toBeVisible();
  expect(screen.getByRole('textbox', { name: /Mail server/ })).toHaveValue('');
  expect(screen.getByText(/Now smtps:\/\/mail\.example\./)).toBeVisible();
});

test('a test e-mail tells how it ended', async () => {
  const { user } = renderConsole('/admin/settings', {
    ...asAdmin,
    instance_SendTestMail: () => ({ isSent: false, message: 'The mail server cannot be reached.' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Send me a test' }));
  expect(await screen.findByText('The test was not sent')).toBeVisible();
  expect(screen.getByText('The mail server cannot be reached.')).toBeVisible();
});
