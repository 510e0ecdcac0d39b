import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repositoryRoot } from '../source-files.ts';
import { composeFile, readComposeFile } from './compose.ts';
import { problemsOfKubernetesFile } from './kubernetes.ts';
import { setImageVersion, versionOf } from './prepare.ts';

const kubernetesFile = join(repositoryRoot, 'docs/operations/kubernetes.yaml');
// The loader is built from Go's modules once.
const timeout = 300_000;

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'corral-container-files-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A copy of a file in which something is changed. */
function changed(file: string, from: string, to: string): string {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  const copy = join(folder, 'changed.yaml');
  writeFileSync(copy, text.replace(from, to));
  return copy;
}

/** Fills each variable with its own name. */
const anything = new Proxy({}, { get: (_, name) => String(name) }) as Record<string, string>;

test(
  'the loader of Compose reads the compose file, and refuses an unknown key [needs Go]',
  { timeout },
  ({ skip }) => {
    const compose = readComposeFile(composeFile, anything);
    if (compose === undefined) {
      expect(process.env['CORRAL_TEST_COMPOSE'], 'The loader of Compose needs Go 1.25.').not.toBe('required');
      return skip('Go is missing.');
    }
    expect(compose.services['north']?.environment?.['CORRAL_PUBLIC_URL']).toBe('PUBLIC_URL');
    expect(() => readComposeFile(changed(composeFile, 'read_only', 'readonly'), anything)).toThrow(
      'readonly',
    );
    expect(() => readComposeFile(composeFile, {})).toThrow('compose.yaml needs the variable');
  },
);

test('Kubernetes knows all fields of the file for it, and their types', () => {
  expect(problemsOfKubernetesFile(kubernetesFile)).toEqual([]);
  for (const [from, to, problem] of [
    ['fsGroup', 'fsgroup', 'Deployment/spec/template/spec/securityContext must NOT have additional'],
    ['replicas: 3', 'replicas: three', 'Deployment/spec/replicas must be integer'],
    ['ipBlock', 'ipblock', 'must NOT have additional properties: {"additionalProperty":"ipblock"}'],
    ['- port: 4222', '- port: [4222]', '/port must be integer,string'],
    ['maxUnavailable: 1', 'maxUnvailable: 1', '"maxUnvailable"'],
    ['apiVersion: apps/v1', 'apiVersion: apps/v2', 'There is no schema of apps/v2 Deployment.'],
    ['replicas: 3', 'replicas: 3\n  replicas: 3', 'Map keys must be unique'],
  ] as const)
    expect(problemsOfKubernetesFile(changed(kubernetesFile, from, to))).toEqual([
      expect.stringContaining(problem),
    ]);
});

test('both name the image of this version, and a release gives them its own', () => {
  const version = versionOf(repositoryRoot);
  expect(readFileSync(composeFile, 'utf8')).toContain(`image: corral-hub:${version}\n`);
  expect(readFileSync(kubernetesFile, 'utf8')).toContain(`/corral-hub:${version}\n`);
  const old = 'image: a/corral-hub:1.9.0\n# as corral-hub:1.9.0@sha256\nimage: postgres:18.4\n';
  expect(setImageVersion(old, '1.10.0')).toBe(
    'image: a/corral-hub:1.10.0\n# as corral-hub:1.10.0@sha256\nimage: postgres:18.4\n',
  );
});
