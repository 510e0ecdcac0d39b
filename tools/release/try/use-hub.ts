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
