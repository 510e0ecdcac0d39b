import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../run-tool.ts';

/** What the image of a container says of itself. */
export interface ImageConfig {
  readonly Entrypoint: readonly string[];
  readonly Env: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly Labels: Readonly<Record<string, string>>;
}

interface Descriptor {
  readonly digest: string;
}

/** Unpacks the layers of an image into a folder, and returns its configuration. */
export function unpackImage(archive: string, root: string, work: string): ImageConfig {
  const layout = join(work, 'layout');
  for (const folder of [layout, root]) mkdirSync(folder, { recursive: true });
  runTool('tar', ['xf', archive, '-C', layout], work);
  const blob = ({ digest }: Descriptor): string => join(layout, 'blobs', digest.replace(':', '/'));
  const read = <Value>(path: string): Value => JSON.parse(readFileSync(path, 'utf8')) as Value;
  const [entry] = read<{ manifests: [Descriptor] }>(join(layout, 'index.json')).manifests;
  const { config, layers } = read<{ config: Descriptor; layers: Descriptor[] }>(blob(entry));
  for (const layer of layers) runTool('tar', ['xzf', blob(layer), '-C', root], work);
  return read<{ config: ImageConfig }>(blob(config)).config;
}
