import { ActionError } from '@corral/contract';
import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
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
  users_GetProvider: () => ({
    callbackUrl: 'https://hub.example/api/private/login/callback',
    logoutUrl: 'https://hub.example/api/private/logout/provider',
    linkedCount: 1,
    linked: ['ann@example.com'],
  }),
  audit_GetSealState: () => ({ seals: 0 }),
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

test('a number of bytes is shown and typed as a size; what was saved beside a refusal is said', async () => {
  const set: unknown[] = [];
  const { user } = renderConsole('/admin/settings', {
    ...asAdmin,
    instance_GetInstanceSettingsRaw: () => ({
      settings: {},
      details: [
        { ...setting, key: 'quotaMaxBytes', label: 'The number of bytes', value: 53_687_091_200 },
        { ...setting, key: 'quotaMaxAssets', label: 'The number of assets' },
      ],
    }),
    instance_SetInstanceSettingRaw: (input: unknown) => (set.push(input), {}),
  });
  const size = await screen.findByRole('textbox', { name: /Size/ });
  expect(size).toHaveValue('50 GiB');
  await user.clear(size);
  await user.type(size, '60 GB');
  await user.type(screen.getByRole('textbox', { name: /Assets/ }), '7{Enter}');
  expect(await screen.findByText('Assets: saved')).toBeVisible();
  expect(screen.getByText(/Size must be a number with KiB, MiB, GiB or TiB/)).toBeVisible();
  expect(size).toHaveValue('60 GB');
  await user.clear(size);
  await user.type(size, '1.5 TiB{Enter}');
  expect(await screen.findByText('Quotas of new repositories: saved')).toBeVisible();
  expect(set).toEqual([
    { key: 'quotaMaxAssets', value: '7' },
    { key: 'quotaMaxBytes', value: '1649267441664' },
  ]);
});

test('a setting of the configuration is shown and disabled, and a secret is not shown', async () => {
  renderConsole('/admin/settings', asAdmin);
  const terms = await screen.findByRole('textbox', { name: /Terms of Service/ });
  expect(terms).toHaveValue('https://hub.example/terms');
  expect(terms).toBeDisabled();
  expect(screen.getByText('Set by CORRAL_TERMS_URL. It can only be changed there.')).toBeVisible();
  expect(screen.getByRole('textbox', { name: /Mail server/ })).toHaveValue('');
  expect(screen.getByText(/Currently smtps:\/\/mail\.example\./)).toBeVisible();
});

test('the mail server is removed after a prompt, which says why when the hub refuses', async () => {
  const set: unknown[] = [];
  let isRefused = true;
  const { user } = renderConsole('/admin/settings', {
    ...asAdmin,
    instance_GetInstanceSettingsRaw: () => ({
      settings: {},
      details: [{ ...setting, key: 'smtpUrl', label: 'The mail server', isSecret: true, isSet: true }],
    }),
    instance_SetInstanceSettingRaw: (input) => {
      if (isRefused) throw new ActionError('Throttled', 'Too many changes.');
      return (set.push(input), {});
    },
  });
  const remove = await screen.findByRole('button', { name: 'Remove the mail server' });
  await user.click(remove);
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove the mail server' }));
  expect(dialog.getByText(/^The hub then sends no e-mails/)).toBeVisible();
  const confirmed = dialog.getByRole('button', { name: 'Remove the mail server' });
  await user.click(confirmed);
  expect(await dialog.findByRole('alert')).toHaveTextContent('Too many changes.');
  isRefused = false;
  await user.click(confirmed);
  expect(await screen.findByText('The mail server was removed')).toBeInTheDocument();
  expect(set).toEqual([{ key: 'smtpUrl', value: null }]);
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

test('the audit log is checked against its seals, with progress and result', async () => {
  const requestedAt = '2026-11-20T10:00:00Z';
  const running = { requestedAt, seals: 3, checkedSeals: 1, checkedRows: 10 };
  const sentence = 'The row audit_ev_1 was changed.';
  const finished = { ...running, checkedSeals: 3, finishedAt: requestedAt, isIntact: false, sentence };
  const checks = [undefined, running, finished];
  let asked = 0;
  const { user } = renderConsole('/admin/settings', {
    ...asAdmin,
    audit_GetSealState: () => {
      const check = checks[asked === 0 ? 0 : Math.min(2, asked++)];
      return { seals: 3, sealedAt: requestedAt, publicKey: 'XNJDo', ...(check && { check }) };
    },
    audit_VerifyLog: () => ((asked = 1), {}),
  });
  expect(
    await screen.findByText(
      'Never checked. “Verify the log” starts a check; the job check-audit-log only completes one that was interrupted.',
    ),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Verify the log' }));
  expect(await screen.findByText('1 of 3 seals are checked.')).toBeVisible();
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.getByText('The log does not match its seals')).toBeVisible();
});

test('an index leads to each group of settings', async () => {
  renderConsole('/admin/settings', asAdmin);
  const index = within(await screen.findByRole('navigation', { name: 'Settings by group' }));
  const links = index.getAllByRole('link');
  const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(links.map(({ textContent }) => textContent)).toEqual(titles);
  for (const link of links) {
    const id = link.getAttribute('href')?.split('#')[1] ?? '';
    const target = within(document.getElementById(id) ?? document.createElement('p'));
    expect(target.getByRole('heading', { level: 2 })).toHaveTextContent(link.textContent);
  }
});

test('the provider is tried before others see it; a change of the issuer asks, and names who is linked there', async () => {
  const assign = vi.fn();
  vi.stubGlobal('location', { ...window.location, origin: window.location.origin, assign });
  onTestFinished(() => void vi.unstubAllGlobals());
  const set: unknown[] = [];
  const { user } = renderConsole('/admin/settings?provider=denied', {
    ...asAdmin,
    instance_GetInstanceSettingsRaw: () => ({
      settings: {},
      details: [
        { ...setting, key: 'oidcIssuer', label: 'The issuer', value: 'https://idp.example' },
        { ...setting, key: 'oidcClientId', label: 'The client id', value: 'corral' },
        { ...setting, key: 'oidcClientSecret', label: 'The secret', isSecret: true, value: 'set' },
      ],
    }),
    instance_SetInstanceSettingRaw: (input: unknown) => (set.push(input), {}),
  });
  expect(await screen.findByText('The sign-in was cancelled at the provider.')).toBeVisible();
  expect(screen.getByText('Not offered yet')).toBeVisible();
  expect(screen.getByText('https://hub.example/api/private/login/callback')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Test sign-in' }));
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('https://idp.example/'));
  const issuer = screen.getByRole('textbox', { name: /^Issuer/ });
  await user.clear(issuer);
  await user.type(issuer, 'https://other.example{Enter}');
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText('ann@example.com')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(set).toEqual([]);
  await user.click(
    screen.getAllByRole('button', { name: 'Save' }).find((one) => !one.hasAttribute('disabled'))!,
  );
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Change' }));
  await vi.waitFor(() => expect(set).toEqual([{ key: 'oidcIssuer', value: 'https://other.example' }]));
});
