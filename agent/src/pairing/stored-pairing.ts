import { join } from 'node:path';
import { ids } from '@corral/contract';
import { AgentError } from '../AgentError.ts';
import type { HubConfig } from '../config.ts';
import { readIfThere, replaceOwn } from '../identity/own-file.ts';

const pathIn = (stateDir: string): string => join(stateDir, 'pairing.json');

/** The hub that this device was paired with; undefined if with none. Throws an AgentError for a damaged file. */
export async function readPairing(stateDir: string): Promise<HubConfig | undefined> {
  const path = pathIn(stateDir);
  const text = await readIfThere(path);
  if (text === undefined || text === '') return undefined;
  const { hubUrl, deploymentToken: token } = parsed(text);
  if (typeof hubUrl === 'string' && URL.canParse(hubUrl) && isToken(token)) return { hubUrl, token };
  throw new AgentError(`The file ${path} is damaged: remove it, and pair this device again.`);
}

/** Keeps the hub that this device is paired with, instead of another one. */
export function keepPairing(stateDir: string, { hubUrl, token }: HubConfig): Promise<void> {
  return replaceOwn(pathIn(stateDir), `${JSON.stringify({ hubUrl, deploymentToken: token })}\n`, 0o600);
}

const isToken = (token: unknown): token is string => ids.deploymentToken.schema.safeParse(token).success;

function parsed(text: string): { readonly hubUrl?: unknown; readonly deploymentToken?: unknown } {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}
