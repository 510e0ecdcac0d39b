import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './source-files.ts';

const folder = 'hub/src/actions';

interface HandlerFile {
  readonly domain: string;
  /** The name of the file and of the handler that it exports. */
  readonly handler: string;
}

/** Lists the handlers by file: `devices/SetDeviceName.ts` handles `devices_SetDeviceName`. */
function handlerFiles(): HandlerFile[] {
  const domains = readdirSync(join(repositoryRoot, folder), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  return domains
    .map(({ name }) => name)
    .toSorted()
    .flatMap((domain) => handlersOf(domain).map((handler) => ({ domain, handler })));
}

function handlersOf(domain: string): string[] {
  const files = readdirSync(join(repositoryRoot, folder, domain));
  return files.flatMap((file) => /^([A-Z][A-Za-z0-9]*)\.ts$/.exec(file)?.[1] ?? []).toSorted();
}

/** The text of `hub/src/actions/index.ts`: every handler by its wire name. */
export async function actionIndex(): Promise<string> {
  const files = handlerFiles();
  const isAmbiguous = ({ handler }: HandlerFile): boolean =>
    files.filter((other) => other.handler === handler).length > 1;
  /** Handlers of several domains may have the same name. */
  const localName = (file: HandlerFile): string =>
    isAmbiguous(file) ? `${file.domain}${file.handler}` : file.handler;
  const imports = files.map((file) => {
    const { domain, handler } = file;
    const imported = isAmbiguous(file) ? `${handler} as ${localName(file)}` : handler;
    return `import { ${imported} } from './${domain}/${handler}.ts';\n`;
  });
  const entries = files.map((file) => `  ${file.domain}_${file.handler}: ${localName(file)},\n`);
  return `// Generated from the files of this folder by \`node tools/launch.cjs generate\`.
import type { Handlers } from './handlers.ts';
${imports.join('')}
/** Every handler by its wire name. */
export const handlers = {
${entries.join('')}} satisfies Handlers;
`;
}
