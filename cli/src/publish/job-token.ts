import { CliError, exitCodes } from '../CliError.ts';

const withinMs = 10_000;

/** The ID token of the job of a CI that this runs in, for an audience; undefined outside of one. Rejected with a CliError. */
export async function jobToken(env: NodeJS.ProcessEnv, audience: string): Promise<string | undefined> {
  // GitLab gives a job what its `id_tokens` names, for the audience there.
  const given = env['CORRAL_ID_TOKEN'];
  if (given !== undefined && given !== '') return given;
  const [url, secret] = [env['ACTIONS_ID_TOKEN_REQUEST_URL'], env['ACTIONS_ID_TOKEN_REQUEST_TOKEN']];
  if (url && secret) return askActions(url, secret, audience);
  if (env['GITHUB_ACTIONS'] !== 'true' && env['GITLAB_CI'] !== 'true') return undefined;
  throw new CliError(
    env['GITLAB_CI'] === 'true'
      ? `There is no token: give the job id_tokens with CORRAL_ID_TOKEN and the aud ${audience}, or set CORRAL_TOKEN.`
      : 'There is no token: give the job the permission "id-token: write" (in Forgejo "enable-openid-connect: true"), or set CORRAL_TOKEN.',
    exitCodes.denied,
  );
}

/** Asks GitHub Actions, or Forgejo Actions, which answers as GitHub does. */
async function askActions(url: string, secret: string, audience: string): Promise<string> {
  try {
    const address = new URL(url);
    address.searchParams.set('audience', audience);
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${secret}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(withinMs),
    });
    const { value } = (await response.json()) as { value?: unknown };
    if (response.ok && typeof value === 'string' && value !== '') return value;
    throw new Error(`It answered ${response.status}.`);
  } catch (cause) {
    throw new CliError('The CI gave no ID token for this job: try again.', exitCodes.failed, { cause });
  }
}
