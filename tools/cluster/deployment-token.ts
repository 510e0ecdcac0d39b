/** Signs in, creates a project, and resolves with a deployment token of it that accepts certificates automatically. */
export async function newDeploymentToken(
  url: string,
  account: { readonly email: string; readonly password: string },
): Promise<string> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const post = async (path: string, body: unknown, cookie = ''): Promise<Response> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  };
  const signedIn = await post('/api/private/login', account);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0];
  const invoke = async (action: string, input: unknown) =>
    (await (await post(`/api/v1/actions/invoke/${action}`, input, cookie)).json()) as Record<string, string>;
  const { projectId } = await invoke('projects_CreateProject', { name: 'Simulated devices' });
  const flags = { autoAccept: true };
  const { token = '' } = await invoke('projects_CreateDeploymentToken', {
    projectId,
    name: 'simulated',
    flags,
  });
  return token;
}
