import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ids } from '@corral/contract';
import { parse, stringify } from 'smol-toml';
import { CliError } from './CliError.ts';

/** Which hub, and as whom. */
export interface CliConfig {
  /** The hub's origin, without a trailing slash. */
  readonly hubUrl: string;
  /** A user token. */
  readonly token: string;
}

/** The file in the working folder, which goes before the one in the home folder. */
export const localFile = '.corral-cli.toml';

/** The file in the home folder. */
export const homeFile = join(homedir(), '.corral', 'cli.toml');

/** Reads the environment (CORRAL_HUB_URL, CORRAL_USER_TOKEN), else the nearest configuration file. Throws a CliError. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, cwd: string): CliConfig {
  const path = [resolve(cwd, localFile), homeFile].find((file) => existsSync(file));
  const table = path === undefined ? {} : readTable(path);
  return checkConfig(env['CORRAL_HUB_URL'] ?? table['hub-url'], env['CORRAL_USER_TOKEN'] ?? table['token']);
}

function readTable(path: string): Record<string, unknown> {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new CliError(`${path} cannot be read as TOML.`, { cause });
  }
}

/** Checks what was given for hub and token. Throws a CliError with one sentence. */
export function checkConfig(hubUrl: unknown, token: unknown): CliConfig {
  if (hubUrl === undefined || token === undefined) {
    throw new CliError(
      'No hub is configured: run `corral configure`, or set CORRAL_HUB_URL and CORRAL_USER_TOKEN.',
    );
  }
  const url = URL.canParse(String(hubUrl)) ? new URL(String(hubUrl)) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new CliError('hub-url must be an http or https address.');
  }
  const parsed = ids.userToken.schema.safeParse(token);
  if (!parsed.success) throw new CliError('token must be a user token: u_sk_ and 66 symbols.');
  return { hubUrl: url.href.replace(/\/+$/, ''), token: parsed.data };
}

/** Writes the configuration where only its owner can read it. */
export async function saveConfig(path: string, { hubUrl, token }: CliConfig): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${stringify({ 'hub-url': hubUrl, token })}\n`, { mode: 0o600 });
}
