import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findGo, findOrBuildGoProgram } from '../go-program.ts';
import { runTool } from './run-tool.ts';
import { writeJson } from './write-json.ts';

const need = 'The check of the file for Kubernetes needs kubeconform';
const kubernetesVersion = '1.37.2';

/** Checks a file for Kubernetes against the schemas of its release, in which no unknown field is allowed, with an empty folder for them. Throws what is wrong; returns false without Go. */
export function checkKubernetesFile(file: string, folder: string): boolean {
  const neededGo = [1, 26] as const;
  const kubeconform = findOrBuildGoProgram({
    name: 'kubeconform',
    module: 'github.com/yannh/kubeconform/cmd/kubeconform',
    version: '0.8.0',
    neededGo,
    need,
  });
  const go = findGo(need, neededGo, process.env);
  if (kubeconform === undefined || go === undefined) return false;
  const downloaded = runTool(
    go,
    ['mod', 'download', '-json', `k8s.io/kubernetes@v${kubernetesVersion}`],
    folder,
  );
  const { Dir } = JSON.parse(downloaded) as { Dir: string };
  writeSchemas(join(Dir, 'api/openapi-spec/swagger.json'), file, folder);
  const schemas = join(folder, '{{.ResourceKind}}{{.KindSuffix}}.json');
  runTool(kubeconform, ['-strict', '-schema-location', schemas, file], folder);
  return true;
}

interface Definition {
  readonly properties?: object;
  readonly format?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

/** Writes the schemas of the kinds in a file, from the description that Kubernetes serves of itself. */
function writeSchemas(description: string, file: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { definitions } = JSON.parse(readFileSync(description, 'utf8')) as {
    definitions: Readonly<Record<string, Definition>>;
  };
  const strict = Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, strictly(definition)]),
  );
  const kinds = new Set([...readFileSync(file, 'utf8').matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind));
  for (const [name, definition] of Object.entries(definitions))
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
      const suffix = [group.split('.')[0] ?? '', version].filter((part) => part !== '').join('-');
      const schema = { ...strict[name], definitions: strict };
      if (kinds.has(kind)) writeJson(join(folder, `${kind.toLowerCase()}-${suffix}.json`), schema);
    }
}

function strictly(definition: Definition): object {
  if (definition.format === 'int-or-string') return { type: ['integer', 'string'] };
  return definition.properties === undefined ? definition : { additionalProperties: false, ...definition };
}
