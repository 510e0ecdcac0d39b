import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { cliInstallCommands } from '../../parts/install-commands.ts';
import { renderConsole, signedIn } from '../../../test/render-console.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  delete document.documentElement.dataset['theme'];
});

const configured = (more: object) => ({
  readConfig: async () => ({
    scripts: [],
    isInsecure: false,
    isRegistrationOpen: true,
    isMailConfigured: true,
    ...more,
  }),
});

test.each([
  ['/projects', signedIn, 'Projects'],
  [`/projects/${projectId}/devices`, projectAnswers, 'Devices'],
  ['/settings/profile', signedIn, 'Profile'],
  ['/help', signedIn, 'Help'],
  ['/no/such/page', signedIn, 'Page not Found'],
])(
  '%s has the links to the command line and to help at the same place of its header',
  async (at, answers, title) => {
    renderConsole(at, answers);
    await screen.findByRole('heading', { level: 1, name: title });
    const [header = document.body] = screen.getAllByRole('banner');
    const [commandLine, help, account] = within(header)
      .getAllByRole('link', { name: /Command line|Help/ })
      .concat(within(header).getByRole('button', { name: /Mara Keller/ }));
    expect(commandLine).toHaveAttribute('href', '/help#command-line');
    expect(help).toHaveAttribute('href', '/help');
    expect(help?.compareDocumentPosition(account as HTMLElement)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  },
);

test('help shows the keyboard shortcuts, the install commands of agent and command line, and links to the documents', async () => {
  renderConsole(
    '/help',
    signedIn,
    configured({ version: '1.2.3', adminContact: 'mailto:mara@harbour.example' }),
  );
  await screen.findByRole('heading', { level: 1, name: 'Help' });
  const { origin } = window.location;
  expect(screen.getByText(new RegExp(`curl -fsSO ${origin}/download/corral.mjs`))).toHaveTextContent(
    'corral configure',
  );
  expect(screen.getByText(`curl -fsSO ${origin}/download/corral-agent.mjs`)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Download the agent' })).toHaveAttribute(
    'href',
    '/download/corral-agent.mjs',
  );
  expect(screen.getByRole('link', { name: 'Download the command line' })).toHaveAttribute(
    'href',
    '/download/corral.mjs',
  );
  expect(screen.getByText('Go to anything', { selector: 'dt' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/docs/configuration');
  expect(await screen.findByText(/This hub runs Corral 1\.2\.3\./)).toBeVisible();
  expect(screen.getByRole('link', { name: 'mara@harbour.example' })).toBeVisible();
});

test('the sheet of shortcuts links to the help page', async () => {
  const { user, address } = renderConsole('/settings/profile', signedIn);
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  await user.keyboard('?');
  await user.click(await screen.findByRole('link', { name: 'All help' }));
  await waitFor(() => expect(address()).toBe('/help'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the theme switch is in the account menu', async () => {
  const { user } = renderConsole('/help', signedIn);
  await user.click(await screen.findByRole('button', { name: /Mara Keller/ }));
  const dark = await screen.findByRole('menuitemradio', { name: 'Dark' });
  expect(screen.getByRole('menuitemradio', { name: 'System' })).toBeChecked();
  await user.click(dark);
  expect(document.documentElement.dataset['theme']).toBe('dark');
  expect(dark).toBeChecked();
  expect(dark, 'the menu stays').toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
});

test.each([
  ['https://hub.example', 'corral configure'],
  ['http://127.0.0.1:8080', 'corral configure'],
  ['http://hub.lan:8080', 'corral configure --allow-plain-http'],
])('at %s the command line is set up by %s', (origin, command) => {
  expect(cliInstallCommands(origin).split('\n').at(-1)).toBe(command);
});
