import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Generator, getConfig } from '@tanstack/router-generator';
import { repositoryRoot } from './source-files.ts';

const consoleFolder = join(repositoryRoot, 'console');

type FileSystem = NonNullable<ConstructorParameters<typeof Generator>[0]['fs']>;

/**
 * The text of `console/src/route-tree.gen.ts`, as the router's plugin of the development server writes it. Writes no file. Rejects
 * when a route file does not declare its own path.
 */
export async function routeTree(): Promise<string> {
  const config = getConfig({ disableLogging: true }, consoleFolder);
  const written = new Map<string, string>();
  const fs = fileSystemOver(written, config.generatedRouteTree);
  await new Generator({ config, root: consoleFolder, fs }).run();
  const [wrong] = [...written.keys()].filter((path) => path !== config.generatedRouteTree);
  if (wrong !== undefined)
    throw new Error(`${wrong} does not name its own path: start \`npm run dev\` once, which corrects it.`);
  return written.get(config.generatedRouteTree) ?? '';
}

/** A file system of the real files with an empty route tree; writes go to a map. */
function fileSystemOver(written: Map<string, string>, treePath: string): FileSystem {
  const pending = new Map<string, string>();
  const emptyStat = { mtimeMs: 0n, mode: 0o644, uid: 0, gid: 0 };
  const statOf = async (path: string): Promise<typeof emptyStat> => {
    if (pending.has(path) || path === treePath) return emptyStat;
    const { mtimeMs, mode, uid, gid } = await stat(path, { bigint: true });
    return { mtimeMs, mode: Number(mode), uid: Number(uid), gid: Number(gid) };
  };
  return {
    stat: statOf,
    async readFile(path) {
      if (path === treePath) return { stat: emptyStat, fileContent: '' };
      return { stat: await statOf(path), fileContent: await readFile(path, 'utf8') };
    },
    writeFile: async (path, content) => void pending.set(path, content),
    rename: async (from, to) => void written.set(to, pending.get(from) ?? ''),
    chmod: async () => {},
    chown: async () => {},
  };
}
