import { basename, dirname, join } from 'node:path';
import { findOrBuildGoProgram } from '../go-program.ts';
import { repositoryRoot } from '../source-files.ts';
import { runTool } from './run-tool.ts';

/** A compose file as its loader reads it, with merged keys and filled variables. */
export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService | undefined>>;
  readonly configs: Readonly<Record<string, { readonly content: string } | undefined>>;
  readonly networks: {
    readonly corral: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } };
  };
}

/** A service of a compose file, as far as the trial uses it. */
export interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks: Readonly<Record<string, { readonly ipv4_address?: string } | null>>;
}

/** The compose file of the documentation. */
export const composeFile = join(repositoryRoot, 'docs/operations/compose.yaml');

/** Reads a compose file by the loader of Compose. Throws what it finds wrong; undefined without Go. */
export function readComposeFile(
  file: string,
  variables: Readonly<Record<string, string>>,
): ComposeFile | undefined {
  const loader = findOrBuildGoProgram({
    name: 'compose-go',
    module: 'github.com/compose-spec/compose-go/v2/cmd',
    version: '2.16.2',
    neededGo: [1, 25],
    need: 'The check of the compose file needs the loader of Compose',
  });
  if (loader === undefined) return undefined;
  const text = runTool(loader, ['-no-interpolation', '-format', 'json', basename(file)], dirname(file));
  const filled = text.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind, fallback) => {
    const value = variables[name] ?? (kind === '-' ? (fallback as string) : undefined);
    if (value === undefined) throw new Error(`${basename(file)} needs the variable ${name}.`);
    return JSON.stringify(value).slice(1, -1);
  });
  return JSON.parse(filled) as ComposeFile;
}
