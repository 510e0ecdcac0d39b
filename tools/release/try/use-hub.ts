import type { Browser, Page } from 'playwright-core';

/** Who signs in. */
export interface Administrator {
  readonly email: string;
  readonly password: string;
}

/** Signs in to a hub in the browser, as its first user does. */
export async function signIn(
  browser: Browser,
  url: string,
  { email, password }: Administrator,
): Promise<Page> {
  const page = await browser.newPage({ baseURL: url });
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password (required)').fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL((address) => !address.pathname.startsWith('/login'));
  return page;
}

/** Makes a project and a token that accepts devices by itself. */
export async function makeToken(page: Page): Promise<{ projectId: string; token: string }> {
  const { projectId } = await invoke<{ projectId: string }>(page, 'projects_CreateProject', {
    name: 'Trial',
  });
  const { token } = await invoke<{ token: string }>(page, 'projects_CreateDeploymentToken', {
    projectId,
    name: 'trial',
    flags: { autoAccept: true },
  });
  return { projectId, token };
}

/** Waits until the page of a project shows a connected device. */
export async function seeConnectedDevice(page: Page, projectId: string): Promise<void> {
  await page.goto(`/projects/${projectId}/devices`);
  await page.getByRole('table').getByText('Connected', { exact: true }).first().waitFor({ timeout: 60_000 });
}

/** Requires that the hub, its console and the agent of the device say one version. */
export async function seeVersion(page: Page, projectId: string, version: string): Promise<void> {
  for (const path of ['/healthz', '/readyz']) {
    const found = (await page.request.get(path)).headers()['x-corral-version'];
    if (found !== version) throw new Error(`${path} says the version ${found}, not ${version}.`);
  }
  await page.goto('/admin/cluster');
  await page.getByRole('table').getByText(version, { exact: true }).waitFor();
  const filter = `agent:${version}`;
  await page.waitForFunction(
    async ([project, wanted]) => {
      const answer = await fetch('/api/v1/actions/invoke/projects_QueryProjectDevices', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ projectId: project, filter: wanted }),
      });
      return ((await answer.json()) as { devices?: unknown[] }).devices?.length === 1;
    },
    [projectId, filter] as const,
  );
}

/** Calls an action with the session of the page. */
async function invoke<Output>(page: Page, name: string, input: unknown): Promise<Output> {
  return page.evaluate(
    async ([action, body]) => {
      const answer = await fetch(`/api/v1/actions/invoke/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${action}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    [name, input] as const,
  ) as Promise<Output>;
}
