import { readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

/** The root folder of the repository, absolute. */
export const repositoryRoot = resolve(import.meta.dirname, '..');

const generatedFolders = new Set([
  'node_modules',
  'dist',
  'coverage',
  'corral-data',
  'test-results',
  'playwright-report',
]);

const isHidden = (name: string): boolean => name.startsWith('.') && name !== '.ci';

/** Every file and folder under a folder, relative with forward slashes, sorted; without generated and hidden folders. */
export function sourcePaths(folder: string): { files: string[]; folders: string[] } {
  const files: string[] = [];
  const folders: string[] = [];
  const visit = (directory: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = relative(folder, join(directory, entry.name)).split(sep).join('/');
      if (entry.isDirectory()) {
        if (generatedFolders.has(entry.name) || isHidden(entry.name)) continue;
        folders.push(path);
        visit(join(directory, entry.name));
      } else if (entry.isFile()) files.push(path);
    }
  };
  visit(folder);
  return { files: files.sort(), folders: folders.sort() };
}

/** True for a test file. */
export const isTestFile = (path: string): boolean => /\.(test|e2e)\.tsx?$/.test(path);
