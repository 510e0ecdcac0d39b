import { ActionError, type Output } from '@corral/contract';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answers } from '../../../../test/device-answers.ts';
import { crane, projectId } from '../../../../test/project-answers.ts';
import { held, renderConsole } from '../../../../test/render-console.tsx';
import { withPath } from './with-path.ts';

const address = `/projects/${projectId}/devices/${crane}`;
const url = 'http://abc.proxy.localhost:8080/?token=t';

/** The window that window.open returns. */
const tab = { opener: window as Window | null, location: { replace: vi.fn() }, close: vi.fn() };
let opened: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  tab.opener = window;
  vi.clearAllMocks();
  opened = vi.spyOn(window, 'open').mockImplementation(() => tab as unknown as Window);
});
afterEach(() => vi.restoreAllMocks());

const button = () => screen.findByRole('button', { name: 'HTTP Proxy' });

test('"An HTTP Proxy button opens a proxy URL in a new tab when a token or url is available.": synchronously and without opener', async () => {
  const answer = held<Output<'devices_IssueDeviceHttpProxyToken'>>();
  const issueToken = vi.fn(() => answer.promise);
  const { user } = renderConsole(address, { ...answers, devices_IssueDeviceHttpProxyToken: issueToken });
  await user.click(await button());
  expect(opened).toHaveBeenCalledWith('about:blank', '_blank');
  expect([tab.opener, tab.location.replace.mock.calls.length]).toEqual([null, 0]);
  expect(await button()).toHaveAttribute('aria-busy', 'true');
  answer.resolve({ jwt: 't', url });
  await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith(url));
  expect(issueToken).toHaveBeenCalledWith(expect.objectContaining({ deviceId: crane, port: 80 }));
  expect(tab.close).not.toHaveBeenCalled();
});

test('a refusal closes the tab and shows the error', async () => {
  const refused = () => Promise.reject(new ActionError('Invalid', 'Device not found.'));
  const { user } = renderConsole(address, { ...answers, devices_IssueDeviceHttpProxyToken: refused });
  await user.click(await button());
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The web page could not be opened');
  expect(alert).toHaveTextContent('Device not found.');
  expect(tab.close).toHaveBeenCalledOnce();
});

test('when the browser blocks the tab, a toast offers to open it', async () => {
  opened.mockImplementationOnce(() => null);
  const { user } = renderConsole(address, {
    ...answers,
    devices_IssueDeviceHttpProxyToken: () => ({ jwt: 't', url }),
  });
  await user.click(await button());
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  expect(opened).toHaveBeenLastCalledWith(url, '_blank', 'noopener');
});

test('the menu lists the pages that the device offers, and takes any other port', async () => {
  const issueToken = vi.fn((_input: { port?: number | undefined }) => ({ jwt: 't', url }));
  const value = { exports: [{ protocol: 'http', name: 'Panel', port: 8080, path: '/panel?view=1' }] };
  const property = { name: 'x', value, protected: false, version: 1, lastUpdated: '2026-10-02T10:00:00Z' };
  const { user } = renderConsole(address, {
    ...answers,
    devices_IssueDeviceHttpProxyToken: issueToken,
    devices_QueryDeviceProperties: () => ({ properties: { 'dev.nexigon.systemInfo': property } }),
  });
  const more = await screen.findByRole('button', { name: 'Other web pages of the device' });
  await user.click(more);
  await user.click(await screen.findByRole('menuitem', { name: 'Panel (port 8080)' }));
  await waitFor(() =>
    expect(tab.location.replace).toHaveBeenCalledWith('http://abc.proxy.localhost:8080/panel?token=t&view=1'),
  );
  await user.click(more);
  await user.click(await screen.findByRole('menuitem', { name: 'Another port...' }));
  const port = await screen.findByRole('textbox', { name: /^Port/ });
  const open = screen.getByRole('button', { name: 'Open' });
  await user.type(port, '70000');
  expect(open).toBeDisabled();
  await user.tab();
  for (const typed of ['70000', '80a', '0']) {
    await user.clear(port);
    await user.type(port, typed);
    expect(screen.getByText('The port must be from 1 to 65535.')).toBeVisible();
    expect(port).toHaveAccessibleDescription(/^The port must be from 1 to 65535\. From 1 to 65535: /u);
  }
  await user.clear(port);
  await user.type(port, '9000');
  await user.click(open);
  await waitFor(() => expect(issueToken.mock.calls.map(([input]) => input.port)).toEqual([8080, 9000]));
});

test('a path that a device names cannot leave the origin of the page', () => {
  for (const path of ['//evil.example/x', 'https://evil.example', 'javascript:alert(1)', '\\\\evil.example'])
    expect(withPath(url, path)).toBe(url);
  expect(withPath(url, undefined)).toBe(url);
  expect(withPath(url, '/a/../b#c')).toBe('http://abc.proxy.localhost:8080/b?token=t#c');
});
