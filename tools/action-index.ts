import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './source-files.ts';

const domainsFolder = 'hub/src/domains';
const source = '// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.';

/** The domains of the hub that have actions. */
const domains = readdirSync(join(repositoryRoot, domainsFolder), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted();

/** The handlers of a domain by wire name; each file exports one of its own name. */
function handlersOf(domain: string): { wireName: string; handler: string }[] {
  const folder = join(repositoryRoot, domainsFolder, domain, 'actions');
  const names = readdirSync(folder).flatMap((file) => /^([A-Z][A-Za-z0-9]*)\.ts$/.exec(file)?.[1] ?? []);
  return names.toSorted().map((handler) => {
    const wireName = /Handler<\s*'(\w+)'/.exec(readFileSync(join(folder, `${handler}.ts`), 'utf8'))?.[1];
    if (wireName === undefined || !wireName.endsWith(`_${handler}`))
      throw new Error(`${domain}/actions/${handler}.ts must export the Handler of an action with this name`);
    return { wireName, handler };
  });
}

/** The text of a domain's `actions/index.ts`: its handlers by wire name. */
function domainActions(domain: string): string {
  const handlers = handlersOf(domain);
  const imports = handlers.map(({ handler }) => `import { ${handler} } from './${handler}.ts';\n`);
  const entries = handlers.map(({ wireName, handler }) => `  ${wireName}: ${handler},\n`);
  return `${source}
${imports.join('')}
/** The actions of this domain by wire name. */
export const ${domain}Actions = {
${entries.join('')}};
`;
}

/** The text of `hub/src/domains/handlers.ts`: every handler by its wire name. */
function allActions(): string {
  const imports = domains.map((name) => `import { ${name}Actions } from './${name}/actions/index.ts';\n`);
  const entries = domains.map((name) => `  ...${name}Actions,\n`);
  return `${source}
import type { ActionName } from '@corral/contract';
import type { Handler } from '../calls/handler.ts';
${imports.join('')}
/** A handler for every action of the contract: one that is missing does not compile. */
export const handlers: { readonly [Name in ActionName]: Handler<Name> } = {
${entries.join('')}};
`;
}

/** The generated tables of actions. */
export const actionIndexes = [
  ...domains.map((domain) => ({
    file: `${domainsFolder}/${domain}/actions/index.ts`,
    make: () => Promise.resolve(domainActions(domain)),
  })),
  { file: `${domainsFolder}/handlers.ts`, make: () => Promise.resolve(allActions()) },
];
