import { ActionError } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';
import type { CommandContext } from '../commands/command-context.ts';
import { findConfig } from '../config.ts';
import { createHub, type Hub } from '../hub/hub.ts';
import { plainText } from '../output/plain-text.ts';
import { jobToken } from './job-token.ts';

/** The hub, with the rights to publish. */
export interface PublishingAccess {
  readonly hub: Hub;
  /** Whether it is by a token that a job of a CI was given for 15 minutes. */
  readonly isOfJob: boolean;
}

/** Uses the stored token; where there is none, that of the job of a CI that this runs in, which installs nothing. Rejected with a CliError. */
export async function publishingAccess(
  context: CommandContext,
  repository: string,
  isToInstall: boolean,
): Promise<PublishingAccess> {
  const { env } = context.parts;
  const { hubUrl, stored } = findConfig(context.parts);
  const idToken = stored === undefined ? await jobToken(env, hubUrl) : undefined;
  if (idToken === undefined) return { hub: context.hub(), isOfJob: false };
  if (isToInstall)
    throw new CliError(
      'By its ID token a job of a CI only publishes: leave --install out, or set CORRAL_TOKEN. Nothing was sent.',
      exitCodes.denied,
    );
  const anonymous = createHub({ hubUrl, token: undefined }, env);
  try {
    const { token, publisher } = await anonymous.invoke('repositories_ExchangeIdToken', {
      repository,
      idToken,
    });
    context
      .output()
      .note(
        `Publishing to ${plainText(repository)} as ${plainText(publisher)}, by the ID token of this job.`,
      );
    return { hub: createHub({ hubUrl, token }, env), isOfJob: true };
  } catch (cause) {
    if (!(cause instanceof ActionError) || cause.kind !== 'Forbidden') throw cause;
    throw new CliError(
      `${cause.message} Its audience must be the public address of the hub: CORRAL_URL is ${hubUrl}.`,
      exitCodes.denied,
      { cause },
    );
  }
}
