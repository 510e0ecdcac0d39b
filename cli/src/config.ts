import { hubOrigin, trimmed } from '@corral/client';
import { ids } from '@corral/contract';
import { CliError, exitCodes } from './CliError.ts';
import { configFiles, readConfigFile, type ConfigPlace } from './config-file.ts';

/** The hub and the token to use. */
export interface CliConfig {
  /** The hub's origin, without a trailing slash. */
  readonly hubUrl: string;
  /** A user token. */
  readonly token: string;
  /** Where the token was found: a variable, or the path of a file. */
  readonly tokenSource: string;
}

interface Source {
  readonly name: string;
  readonly hubUrl: string | undefined;
  readonly token: string | undefined;
  readonly isPlainAllowed: boolean;
}

/**
 * Reads the hub and the token from the environment, the file in the working folder and the file of the user. The first that names a hub
 * decides; a token in a file is sent only to the hub in the same file. Throws a CliError.
 */
export function loadConfig(place: ConfigPlace): CliConfig {
  const { hubUrl, stored } = findConfig(place);
  if (stored !== undefined) return stored;
  throw new CliError(
    `There is no token for ${hubUrl}: run \`corral login\`, or set CORRAL_TOKEN.`,
    exitCodes.denied,
  );
}

/** The hub, and the stored token for it, if there is one. Throws a CliError as `loadConfig` does. */
export function findConfig(place: ConfigPlace): {
  readonly hubUrl: string;
  readonly stored: CliConfig | undefined;
} {
  const sources = [environmentSource(place.env), ...fileSources(place)];
  const named = sources.find(({ hubUrl }) => hubUrl !== undefined);
  if (named?.hubUrl === undefined)
    throw new CliError(
      'No hub is configured: run `corral login --url` with its address, or set CORRAL_URL and CORRAL_TOKEN.',
      exitCodes.denied,
    );
  const hubUrl = checkHubUrl(
    named.hubUrl,
    named.isPlainAllowed || isSet(place.env['CORRAL_ALLOW_PLAIN_HTTP']),
  );
  const holder = sources.find((source) => source.token !== undefined && isForHub(source, hubUrl));
  if (holder?.token === undefined) return { hubUrl, stored: undefined };
  return { hubUrl, stored: { hubUrl, token: checkToken(holder.token), tokenSource: holder.name } };
}

/** The hub that the environment or a file names, even without a token. */
export function configuredHub(
  place: ConfigPlace,
): { readonly hubUrl: string; readonly isPlainAllowed: boolean } | undefined {
  const named = [environmentSource(place.env), ...fileSources(place)].find(
    ({ hubUrl }) => hubUrl !== undefined,
  );
  if (named?.hubUrl === undefined) return undefined;
  const isPlainAllowed = named.isPlainAllowed || isSet(place.env['CORRAL_ALLOW_PLAIN_HTTP']);
  return { hubUrl: named.hubUrl, isPlainAllowed };
}

function environmentSource(env: ConfigPlace['env']): Source {
  return {
    name: 'CORRAL_TOKEN',
    hubUrl: trimmed(env['CORRAL_URL'] ?? '') || undefined,
    token: trimmed(env['CORRAL_TOKEN'] ?? '') || undefined,
    isPlainAllowed: false,
  };
}

function fileSources(place: ConfigPlace): Source[] {
  return configFiles(place).flatMap((path) => {
    const file = readConfigFile(path);
    return file === undefined ? [] : [{ name: path, ...file }];
  });
}

/** A token in the environment is for any hub; one in a file only for the hub in the same file. */
function isForHub({ name, hubUrl: named }: Source, hubUrl: string): boolean {
  return name === 'CORRAL_TOKEN' || (named !== undefined && originOf(named) === hubUrl);
}

const isSet = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value);

/** Checks the address of a hub and returns it without a trailing slash. Throws a CliError with one sentence. */
export function checkHubUrl(text: string, isPlainAllowed = false): string {
  try {
    return hubOrigin(text, { isAllowed: isPlainAllowed, allowedBy: 'set CORRAL_ALLOW_PLAIN_HTTP=1' });
  } catch (cause) {
    throw new CliError(`The address of the hub ${(cause as Error).message}`, exitCodes.usage, { cause });
  }
}

const originOf = (text: string): string | undefined =>
  URL.canParse(trimmed(text)) ? new URL(trimmed(text)).origin : undefined;

/** Checks a user token. Throws a CliError that does not repeat it. */
export function checkToken(text: string): string {
  const parsed = ids.userToken.schema.safeParse(trimmed(text));
  if (!parsed.success)
    throw new CliError('The token must be a user token: u_sk_ and 66 symbols.', exitCodes.usage);
  return parsed.data;
}
