import { ActionError, type Output } from '@corral/contract';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answers } from '../../../test/device-answers.ts';
import { crane, projectId } from '../../../test/project-answers.ts';
import { held, renderConsole } from '../../../test/render-console.tsx';
import { withPath } from './proxy-tab.ts';

const address = `/projects/${projectId}/devices/${crane}`;
const url = 'http://abc.proxy.localhost:8080/?token=t';

/** What a browser hands out for a new tab. */
const tab = { opener: window as Window | null, location: { replace: vi.fn() }, close: vi.fn() };
let opened: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  tab.opener = window;
  vi.clearAllMocks();
  opened = vi.spyOn(window, 'open').mockImplementation(() => tab as unknown as Window);
});
afterEach(() => vi.restoreAllMocks());

const button = () => screen.findByRole('button', { name: 'HTTP Proxy' });

test('the tab opens in the click, cannot reach back, and goes to the page when its address is there', async () => {
  const answer = held<Output<'devices_IssueDeviceHttpProxyToken'>>();
  const asked = vi.fn(() => answer.promise);
  const { user } = renderConsole(address, { ...answers, devices_IssueDeviceHttpProxyToken: asked });
  await user.click(await button());
  expect(opened).toHaveBeenCalledWith('about:blank', '_blank');
  expect([tab.opener, tab.location.replace.mock.calls.length]).toEqual([null, 0]);
  expect(await button()).toHaveAttribute('aria-busy', 'true');
  answer.resolve({ jwt: 't', url });
  await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith(url));
  expect(asked).toHaveBeenCalledWith(expect.objectContaining({ deviceId: crane, port: 80 }));
  expect(tab.close).not.toHaveBeenCalled();
});

test('a refusal closes the tab and is told', async () => {
  const refused = () => Promise.reject(new ActionError('Invalid', 'Device not found.'));
  const { user } = renderConsole(address, { ...answers, devices_IssueDeviceHttpProxyToken: refused });
  await user.click(await button());
  const told = await screen.findByRole('alert');
  expect(told).toHaveTextContent('The web page could not be opened');
  expect(told).toHaveTextContent('Device not found.');
  expect(tab.close).toHaveBeenCalledOnce();
});

test('where the browser refuses a tab, the toast offers one', async () => {
  opened.mockImplementationOnce(() => null);
  const { user } = renderConsole(address, {
    ...answers,
    devices_IssueDeviceHttpProxyToken: () => ({ jwt: 't', url }),
  });
  await user.click(await button());
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  expect(opened).toHaveBeenLastCalledWith(url, '_blank', 'noopener');
});

test('the menu lists what the device offers, and takes any other port', async () => {
  const asked = vi.fn((_wish: { port?: number | undefined }) => ({ jwt: 't', url }));
  const value = { exports: [{ protocol: 'http', name: 'Panel', port: 8080, path: '/panel?view=1' }] };
  const property = { name: 'x', value, protected: false, version: 1, lastUpdated: '2026-10-02T10:00:00Z' };
  const { user } = renderConsole(address, {
    ...answers,
    devices_IssueDeviceHttpProxyToken: asked,
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
  await user.clear(port);
  await user.type(port, '9000');
  await user.click(open);
  await waitFor(() => expect(asked.mock.calls.map(([wish]) => wish.port)).toEqual([8080, 9000]));
});

test('a path that a device names leads nowhere but to its own page', () => {
  for (const path of ['//evil.example/x', 'https://evil.example', 'javascript:alert(1)', '\\\\evil.example'])
    expect(withPath(url, path)).toBe(url);
  expect(withPath(url, undefined)).toBe(url);
  expect(withPath(url, '/a/../b#c')).toBe('http://abc.proxy.localhost:8080/b?token=t#c');
});
